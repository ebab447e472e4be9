"""What the tests share."""

import numpy as np
import pytest

import estoc


def sphere(steps=24):
    """A closed mesh with its vertices near the unit sphere."""
    points, faces = [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)], []
    for i in range(1, steps):
        for j in range(2 * steps):
            a, b = np.pi * i / steps, np.pi * j / steps
            points.append((np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)))
    at = lambda i, j: 2 + (i - 1) * 2 * steps + j % (2 * steps)
    for j in range(2 * steps):
        faces.append((0, at(1, j), at(1, j + 1)))
        faces.append((1, at(steps - 1, j + 1), at(steps - 1, j)))
        for i in range(1, steps - 1):
            faces.append((at(i, j), at(i + 1, j), at(i + 1, j + 1)))
            faces.append((at(i, j), at(i + 1, j + 1), at(i, j + 1)))
    return np.array(points), np.array(faces)


def some_rays(count, seed=1):
    """Rays in float32 of which about half hit the sphere."""
    rng = np.random.default_rng(seed)
    origins = rng.normal(size=(count, 3)) * 2
    dirs = rng.normal(size=(count, 3)) - origins / 2
    return np.hstack([origins, dirs]).astype(np.float32)


@pytest.fixture(scope="session")
def ball():
    return estoc.Bvh(estoc.Mesh(*sphere()))


@pytest.fixture(scope="session")
def rays():
    return some_rays(3000)


def same(one, other):
    """Asserts that two tuples of arrays are equal to the bit."""
    assert len(one) == len(other)
    for a, b in zip(one, other):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
