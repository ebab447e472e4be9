"""Hits of a ray at exactly the same t.

A ray meets two triangles with a common edge from ``p`` to ``q`` at the same t if it meets the edge, where
``d.((p - o) x (q - o))`` is 0. In general, of triangles with the normals ``n`` and ``m`` and corners ``a`` and ``b``,
it meets both planes at the same t if and only if ``n.(a - o) m.d - m.(b - o) n.d`` is 0.

Whether such a polynomial is 0 is decided exactly. In ``float64``, with a bound of the error, most that are not 0 are
known not to be. The rest are integers, in a unit of their own, below a known size: such an integer is 0 if it is 0
modulo 2**64 and modulo some primes whose product with 2**64 exceeds that size.
"""

from __future__ import annotations

from typing import Any, Callable, Union

import numpy as np
import numpy.typing as npt

from ._mesh import Mesh
from ._results import HitLists, SceneHitLists

#: Modulo 2**64, as numpy computes anyway, and not at all, with integers of any length.
_WORD, _EXACT = 0, 1

#: What integers are computed modulo, one after the other, with the bits that each makes sure of. The primes are below
#: 2**30, so that the sum of three products is below 2**62.
_MODULI = [
    (_WORD, 64),
    *((2**30 - less, 29) for less in (35, 41, 83, 101, 105, 107, 135, 153)),
    (_EXACT, 0),
]

#: The error of a polynomial in ``float64`` is below 1300 * 2**-53, in units of the product of its vectors' sizes.
_ERROR = 2.0**-40

#: Where these sizes are between these, nothing that counts overflows or underflows.
_LEAST, _MOST = 2.0**-150, 2.0**150

#: An exponent above all others.
_OF_ZERO = 1 << 12

#: The number of pairs that are compared at a time, for the cache.
_BLOCK = 1 << 12


def first_of_ties(
    hits: Union[HitLists, SceneHitLists],
    origins: npt.NDArray[np.float64],
    directions: npt.NDArray[np.float64],
    mesh: Mesh,
) -> npt.NDArray[np.bool_]:
    """Returns, for all hits of rays with a mesh, as the tree has read them, whether none before it on the ray has
    exactly its t."""
    ray = hits.ray
    is_first = np.ones(len(ray), np.bool_)
    # What differs when it is rounded differs.
    near = np.flatnonzero((ray[1:] == ray[:-1]) & (hits.t[1:] == hits.t[:-1]))
    for pairs in np.split(near, range(_BLOCK, len(near), _BLOCK)):
        of = ray.take(pairs)
        lines = [array.take(of, axis=0)[:, np.newaxis] for array in (origins, directions)]
        corners = [mesh.faces.take(hits.prim.take(at), axis=0) for at in (pairs, pairs + 1)]
        triangles = [mesh.vertices.take(vertices, axis=0) for vertices in corners]
        given = np.concatenate([*lines, *triangles], axis=1, dtype=np.float64)
        is_first[pairs + 1] = ~_have_one_t(np.ascontiguousarray(given.transpose(1, 2, 0)))
    return is_first


def _have_one_t(given: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Returns whether each ray meets the planes of two triangles, to none of which it is parallel, at one t. The shape
    is (8, 3, N): origins, directions, corners of the first triangles and of the second ones."""
    answers = np.zeros(given.shape[-1], np.bool_)
    first, second = given[2:5], given[5:]
    is_shared = (first[:, np.newaxis] == second).all(axis=2).any(axis=1)
    rows = np.flatnonzero(np.count_nonzero(is_shared, axis=0) >= 2)
    lone = is_shared.take(rows, axis=1).argmin(axis=0)
    ends = [first[(lone + i) % 3, :, rows].T for i in (1, 2)]
    answers[rows] = _are_zero(np.stack([*given[:2].take(rows, axis=2), *ends]), _meets_edge)
    rows = np.flatnonzero(~answers)
    answers[rows] = _are_zero(given.take(rows, axis=2), _meet_at_one_t)
    return answers


#: Vectors whose product of sizes, without the direction's, is a bound of the polynomial, and its value. The numbers of
#: each step are reduced.
_Reduced = Callable[[npt.NDArray[Any]], npt.NDArray[Any]]
_Polynomial = Callable[[npt.NDArray[Any], _Reduced], tuple[list[npt.NDArray[Any]], npt.NDArray[Any]]]


def _meets_edge(given: npt.NDArray[Any], reduced: _Reduced) -> tuple[list[npt.NDArray[Any]], npt.NDArray[Any]]:
    o, d, p, q = given
    ahead = [reduced(p - o), reduced(q - o)]
    return ahead, reduced((reduced(_cross(*ahead)) * d).sum(axis=0))


def _meet_at_one_t(given: npt.NDArray[Any], reduced: _Reduced) -> tuple[list[npt.NDArray[Any]], npt.NDArray[Any]]:
    o, d = given[:2]
    sides, parts = [], []
    for a, b, c in (given[2:5], given[5:]):
        edges, ahead = [reduced(b - a), reduced(c - a)], reduced(a - o)
        normal = reduced(_cross(*edges))
        sides += [*edges, ahead]
        parts += [reduced((normal * side).sum(axis=0)) for side in (ahead, d)]
    farthest = np.maximum(*(abs(sides.pop(i)) for i in (5, 2)))
    return [*sides, farthest], reduced(parts[0] * parts[3] - parts[2] * parts[1])


def _cross(e: npt.NDArray[Any], f: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.stack([e[i - 2] * f[i - 1] - e[i - 1] * f[i - 2] for i in range(3)])


def _are_zero(given: npt.NDArray[np.float64], polynomial: _Polynomial) -> npt.NDArray[np.bool_]:
    """Returns where a polynomial is exactly 0, of vectors of which the second is a direction."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        sides, values = polynomial(given, lambda x: x)
        sizes = np.array([np.abs(side).max(axis=0) for side in (*sides, given[1])])
        is_plain = np.all((sizes > _LEAST) & (sizes < _MOST), axis=0)
        bound = np.prod(sizes, axis=0) * _ERROR
        answers = np.asarray(~(is_plain & (np.abs(values) > bound)))
    rows = np.flatnonzero(answers)
    whole, powers, (unit, unit_of_direction) = _integers(given.take(rows, axis=2))
    # The values are below two to the power of these, in their units.
    bits = np.frexp(bound[rows])[1] + 1 - len(sides) * unit - unit_of_direction
    bits[~is_plain[rows]] = _OF_ZERO
    known = 0
    for modulus, more in _MODULI:
        left = np.flatnonzero(bits > known)
        if len(left) == 0:
            break
        if len(left) < len(rows):
            rows, bits = rows[left], bits[left]
            whole, powers = whole.take(left, axis=2), powers.take(left, axis=2)
        is_zero = polynomial(*_modulo(whole, powers, modulus))[1] == 0
        answers[rows] = is_zero
        bits *= is_zero
        known += more
    return answers


def _integers(
    given: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], list[npt.NDArray[np.int64]]]:
    """Returns vectors as integers times two to the power of others, in one unit for the points of a row and one for
    its direction, and the exponents of both."""
    bits = given.view(np.int64)
    exponents = bits >> 52 & 2047
    whole = (bits & (1 << 52) - 1) + (np.minimum(exponents, 1) << 52)
    # How often two divides it.
    zeros = np.maximum((whole & -whole).astype(np.float64).view(np.int64) >> 52, 1023) - 1023
    powers = np.maximum(exponents, 1) - 1075 + zeros + _OF_ZERO * (whole == 0)
    sign = bits >> 63
    whole = ((whole >> zeros) ^ sign) - sign
    lowest = powers.min(axis=1)
    units = [np.minimum(lowest[0], lowest[2:].min(axis=0)), lowest[1]]
    is_direction = np.arange(len(given))[:, np.newaxis, np.newaxis] == 1
    powers -= np.where(is_direction, *units[::-1])
    powers *= whole != 0
    return whole, powers, units


def _modulo(
    whole: npt.NDArray[np.int64], powers: npt.NDArray[np.int64], modulus: int
) -> tuple[npt.NDArray[Any], _Reduced]:
    """Returns integers times two to the power of others, modulo a prime or one of the two others, and what reduces
    the numbers that are computed from them."""
    if modulus == _WORD:
        return np.left_shift(whole, powers), lambda x: x  # numpy shifts all bits out from 64 on
    if modulus == _EXACT:
        return whole.astype(object) << powers.astype(object), lambda x: x
    table = np.array([pow(2, i, modulus) for i in range(int(powers.max()) + 1)])
    return np.fmod(np.fmod(whole, modulus) * table[powers], modulus), lambda x: np.fmod(x, modulus)
