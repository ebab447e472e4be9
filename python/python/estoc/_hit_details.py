"""What trees tell about hits: points, normals, sides, and rays that leave there."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._arrays import ArrayLike
from ._mesh import Mesh
from ._results import SpawnedRays

#: The smallest number above 0 that ``float32`` has.
_ABOVE_0 = float(np.finfo(np.float32).smallest_subnormal)

#: A bound of the rounding of a determinant of three rows in ``float64``, by the sum of its terms' sizes.
_ROUNDING = 2.0**-48


class Found(Protocol):
    """Hits, closest points, or lists of hits."""

    @property
    def prim(self) -> npt.NDArray[np.int64]: ...
    @property
    def u(self) -> npt.NDArray[np.float32]: ...
    @property
    def v(self) -> npt.NDArray[np.float32]: ...


class HitDetails:
    """What a tree tells about its hits: :class:`~estoc.Hits`, :class:`~estoc.HitLists` or
    :class:`~estoc.ClosestPoints`."""

    __slots__ = ()
    _mesh: Mesh

    def points(self, hits: Found) -> npt.NDArray[np.float64]:
        """Returns the points of hits, on their triangles, computed in ``float64``; NaN for misses.

        >>> import estoc
        >>> bvh = estoc.Bvh(estoc.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
        >>> bvh.points(bvh.closest_hit([[1, 2, 5, 0, 0, -1], [9, 9, 5, 0, 0, -1]]))
        array([[ 1.,  2.,  0.],
               [nan, nan, nan]])
        """
        return self._mesh.points_at(hits.prim, hits.u, hits.v)

    def normals(self, hits: Found) -> npt.NDArray[np.float64]:
        """Returns the unit normals of the triangles of hits; 0 for misses."""
        return self._mesh.normals_at(hits.prim)

    def sides(self, hits: Found, directions: ArrayLike) -> npt.NDArray[np.int8]:
        """Returns the side that rays with these directions come from: 1 for the front, from which the corners of the
        triangle run counterclockwise, -1 for the back, and 0 for misses and for directions in the plane of the
        triangle; exactly. Directions have the shape of the hits and a last axis of 3, or one that numpy broadcasts
        with it.

        >>> import estoc
        >>> bvh = estoc.Bvh(estoc.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
        >>> down, up = [1, 1, 5, 0, 0, -1], [1, 1, -5, 0, 0, 1]
        >>> bvh.sides(bvh.closest_hit([down, up]), [[0, 0, -1], [0, 0, 1]])
        array([ 1, -1], dtype=int8)
        """
        dirs, prim, _ = self._towards(hits, directions)
        return self._sides(prim, dirs)

    def spawn(self, hits: Found, directions: ArrayLike) -> SpawnedRays:
        """Returns rays that leave the surface at hits, for shadows, reflections and occlusion, which every question
        takes in place of rays. No epsilon is involved: they skip the triangle that they leave, start on the side of
        it that they go to, exactly, and hit nothing that their origin lies on, such as a neighbour at a shared edge.
        So no ray that leaves a convex mesh outwards hits it again, and no near hit is lost. Directions are as for
        :meth:`sides`; rays of misses miss.

        >>> import estoc, numpy as np
        >>> bvh = estoc.Bvh(estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
        >>> hits = bvh.closest_hit([[-1, 0.1, 0.2, 1, 0, 0], [-1, 5, 5, 1, 0, 0]])
        >>> bvh.any_hit(bvh.spawn(hits, bvh.normals(hits)))
        array([False, False])
        >>> bvh.any_hit(bvh.spawn(hits, -bvh.normals(hits)))
        array([ True, False])
        """
        dirs, prim, shape = self._towards(hits, directions)
        weights = np.stack([np.broadcast_to(weight, shape) for weight in (hits.u, hits.v)], axis=-1)
        # Where a ray from the back goes, to the front; any side will do for a direction in the plane.
        to = np.where(self._sides(prim, dirs) < 0, 1, -1)
        rows = prim[..., np.newaxis], weights, to[..., np.newaxis]
        local = self._mesh._core.leave(*rows).reshape(*shape, 3)
        origins = local if not self._mesh.has_origin else self._in_world(local, prim, to)
        return SpawnedRays(origins, dirs, prim, _ABOVE_0)

    def _towards(
        self, hits: Found, directions: ArrayLike
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64], tuple[int, ...]]:
        """Returns the directions as rays of this tree have them, and the triangle of each."""
        dirs, prim = _arrays.columns("directions", directions), self._mesh._prims(hits.prim)
        try:
            shape = np.broadcast_shapes(prim.shape, dirs.shape[:-1])
        except ValueError:
            raise ValueError(
                f"directions has the shape {dirs.shape}; wanted is {(*prim.shape, 3)}, as the hits have the shape "
                f"{prim.shape}, or one that numpy broadcasts with it"
            ) from None
        if not self._mesh.has_origin:
            with np.errstate(over="ignore"):
                dirs = dirs.astype(np.float32, copy=False)
        return np.broadcast_to(dirs, (*shape, 3)), np.broadcast_to(prim, shape), shape

    def _sides(self, prim: npt.NDArray[np.int64], dirs: npt.NDArray[Any]) -> npt.NDArray[np.int8]:
        corners = self._mesh.local_vertices[self._mesh.faces[prim]].astype(np.float64)
        edges = corners[..., 1:, :] - corners[..., :1, :]
        with np.errstate(all="ignore"):
            normals = np.cross(edges[..., 0, :], edges[..., 1, :])
            along = np.einsum("...i,...i->...", normals, dirs, dtype=np.float64)
            sizes = np.abs(edges).max(axis=-1).prod(axis=-1) * np.abs(dirs).max(axis=-1)
            is_certain = np.abs(along) > 16 * _ROUNDING * sizes
        sides = np.asarray(np.where(prim >= 0, -np.sign(np.nan_to_num(along, posinf=1, neginf=-1)), 0), np.int8)
        for at in map(tuple, np.argwhere((prim >= 0) & ~(is_certain & np.isfinite(along)))):
            sides[at] = _exact_side(corners[at], np.asarray(dirs[at], np.float64))
        return sides

    def _in_world(
        self, local: npt.NDArray[np.float32], prim: npt.NDArray[np.int64], to: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """Returns points in the world, rounded to the side that rays go to, so that none gets behind its triangle."""
        towards = np.sign(self._mesh.normals_at(prim)) * to[..., np.newaxis]
        exact, origin = local.astype(np.float64), self._mesh.origin
        near = exact + origin
        # What rounding added, by Knuth's sum of two numbers.
        back = near - exact
        added = (back - origin) + ((near - back) - exact)
        is_beyond = added * towards < 0
        return np.where(is_beyond, np.nextafter(near, np.copysign(np.inf, towards)), near)


def _exact_side(corners: npt.NDArray[np.float64], direction: npt.NDArray[np.float64]) -> int:
    """Returns the side of a triangle that a direction is seen from, by fractions."""
    if not (np.isfinite(corners).all() and np.isfinite(direction).all()):
        return 0
    a, b, c = ([Fraction(x) for x in corner.tolist()] for corner in corners)
    (p, q, r), (s, t, u) = ([x - y for x, y in zip(end, a)] for end in (b, c))
    x, y, z = (Fraction(x) for x in direction.tolist())
    along = x * (q * u - r * t) + y * (r * s - p * u) + z * (p * t - q * s)
    return (along < 0) - (along > 0)
