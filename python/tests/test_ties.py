"""Hits at exactly the same t, against rational numbers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

import estoc
from conftest import cases
from estoc import _ties


def fractions(numbers):
    return [Fraction(float(x)) for x in numbers]


def parameter(origin, direction, triangle):
    """Where a ray meets the plane of a triangle; ``None`` where it is parallel."""
    o, d = fractions(origin), fractions(direction)
    a, b, c = (fractions(corner) for corner in triangle)
    e, f = ([y - x for x, y in zip(a, end)] for end in (b, c))
    normal = [e[i - 2] * f[i - 1] - e[i - 1] * f[i - 2] for i in range(3)]
    along = sum(x * y for x, y in zip(normal, d))
    return sum(n * (x - y) for n, x, y in zip(normal, a, o)) / along if along else None


def check(origins, directions, first, second):
    """Compares all rows that are no parallels, and returns the number of ties."""
    rows = np.concatenate([origins[:, None], directions[:, None], first, second], axis=1)
    found = _ties._have_one_t(np.ascontiguousarray(rows.transpose(1, 2, 0)))
    ties = 0
    for o, d, a, b, equal in zip(origins, directions, first, second, found):
        one, other = parameter(o, d, a), parameter(o, d, b)
        if one is not None and other is not None:
            assert equal == (one == other), (o, d, a, b)
            ties += equal
    return ties


def through_an_edge(rng, count):
    first, second = (rng.integers(-(2**20), 2**20, (count, 3, 3)).astype(float) for _ in range(2))
    second[:, [2, 0]] = first[:, :2]
    directions = rng.integers(-1000, 1000, (count, 3)).astype(float)
    return (first[:, 0] + first[:, 1]) / 2 - directions, directions, first, second


def in_one_plane(rng, count):
    origins, directions = rng.normal(size=(2, count, 3))
    first, second = rng.normal(size=(2, count, 3, 3)).astype(np.float32).astype(float)
    first[..., 2] = second[..., 2] = first[:, :1, 2]
    return origins, directions, first, second


def almost_through_an_edge(rng, count):
    origins, directions, first, second = through_an_edge(rng, count)
    origins[:, 0] += np.where(rng.random(count) < 0.5, 2.0**-25, 0)
    return origins, directions, first, second


def small_integers(rng, count):
    return [rng.integers(-2, 3, (count, *shape)).astype(float) for shape in ((3,), (3,), (3, 3), (3, 3))]


def of_any_size(rng, count):
    wide = lambda *shape: np.ldexp(rng.normal(size=(count, *shape)), rng.integers(-60, 60, (count, *shape)))
    first, second = (wide(3, 3).astype(np.float32).astype(float) for _ in range(2))
    second[::2] = first[::2][:, [1, 2, 0]]
    return wide(3), wide(3), first, second


def from_the_sun(rng, count):
    _, directions, first, second = in_one_plane(rng, count)
    return -1.5e14 * directions * (1 + 1e-15 * rng.random((count, 3))), directions, first, second


def huge_and_tiny(rng, count):
    """Integers modulo primes do not suffice."""
    first = rng.normal(size=(count, 3, 3))
    first[:, 0], first[:, 1] = np.ldexp(first[:, 0], -140), np.ldexp(first[:, 1], 120)
    first = first.astype(np.float32).astype(float)
    second = first[:, [2, 0, 1]].copy()
    second[::2, 0] *= 2
    return rng.normal(size=(count, 3)), rng.normal(size=(count, 3)), first, second


@pytest.mark.parametrize(
    "rows, share",
    [
        (through_an_edge, 0.99), (in_one_plane, 0.99), (almost_through_an_edge, 0.4), (small_integers, 0.001),
        (of_any_size, 0.2), (from_the_sun, 0.99), (huge_and_tiny, 0.4),
    ],
)
def test_ties_are_those_of_rational_numbers(rows, share):
    count = 400
    assert check(*rows(np.random.default_rng(8), count)) >= share * count


numbers = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(width=32, allow_nan=False, allow_infinity=False),
    st.sampled_from([1e-45, 2.0**-126, 0.1, 1 / 3, 1e30]).map(lambda x: float(np.float32(x))),
)


@cases(200)
@given(st.lists(numbers, min_size=24, max_size=24), st.integers(0, 3))
def test_ties_of_any_numbers(row, shared):
    o, d, first, second = (np.array(x).reshape(1, -1, 3) for x in (row[:3], row[3:6], row[6:15], row[15:]))
    second[:, :shared] = first[:, :shared]
    check(o[:, 0], d[:, 0], first, second)


def test_all_hits_of_a_grid():
    """Rays straight down, through edges and vertices of hills, and through faces."""
    n = 6
    grid = np.arange(n + 1, dtype=float)
    x, y = (a.ravel() for a in np.meshgrid(grid, grid, indexing="ij"))
    low = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    faces = np.concatenate([low[:, None] + [0, n + 1, n + 2], low[:, None] + [0, n + 2, 1]])
    bvh = estoc.Bvh(estoc.Mesh(np.column_stack([x, y, np.sin(3 * x + y)]), faces))
    at = np.linspace(0, n, 4 * n + 1)
    origins = np.stack(np.meshgrid(at, at, [9.0], indexing="ij"), axis=-1).reshape(-1, 3)
    down = np.tile([0, 0, -1.0], (len(origins), 1))
    hits = bvh.all_hits(origins, down)
    first = _ties.first_of_ties(hits, origins, down, bvh.mesh)
    assert len(hits.prim) > len(origins)
    # A height field is met once.
    np.testing.assert_array_equal(hits.ray[first], np.arange(len(origins)))
    np.testing.assert_array_equal(hits.prim[first], bvh.closest_hit(origins, down).prim)


def test_no_hits():
    bvh = estoc.Bvh(estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    ray = np.array([[5.0, 5, 5]]), np.array([[0.0, 0, 1]])
    assert len(_ties.first_of_ties(bvh.all_hits(*ray), *ray, bvh.mesh)) == 0
