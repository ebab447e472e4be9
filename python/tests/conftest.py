"""What the tests share."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import settings

import estoc


def cases(count):
    """The number of cases of a random test: ``ESTOC_LONG=1`` has fifty times as many."""
    count *= 50 if os.environ.get("ESTOC_LONG") == "1" else 1
    return settings(max_examples=count, deadline=None, derandomize=True)


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


def room():
    """A box of 2 by 3 by 2 full of pillars: most of its surface is not seen from outside."""
    points, faces, near = [], [], (-0.75, -0.25, 0.25, 0.75)
    boxes = [((-1, 0, -1), (1, 3, 1), True)]
    boxes += [((x - 0.1, 0, z - 0.1), (x + 0.1, 3, z + 0.1), False) for x in near for z in near]
    for low, high, is_room in boxes:
        first = len(points)
        points += [[(low, high)[i >> axis & 1][axis] for axis in range(3)] for i in range(8)]
        for a, b, c, d in ((0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)):
            for face in ((a, b, c), (a, c, d)):
                faces.append([first + i for i in (face[::-1] if is_room else face)])
    return np.array(points, float), np.array(faces)


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


class Tensor:
    """An array that only speaks DLPack; on another device, it must not be asked for."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, **options):
        assert self.device == (1, 0)
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device


def program(text):
    """The arguments that run a program, which may import from the tests."""
    tests = os.path.dirname(os.path.abspath(__file__))
    return [sys.executable, "-c", f"import sys; sys.path[:0] = [{tests!r}]\n" + textwrap.dedent(text)]


def lines_of(text):
    """What a program prints, a list of the words of each line; pytest shows what it says on stderr."""
    done = subprocess.run(program(text), stdout=subprocess.PIPE, text=True, timeout=900)
    assert done.returncode == 0
    return [line.split() for line in done.stdout.splitlines()]
