"""What trees tell about hits: points, normals, sides, and rays that leave there."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._arrays import ArrayLike
from ._mesh import Mesh
from ._results import Reals, SpawnedRays

#: The smallest numbers above 0, of rays in ``float32`` and in ``float64``.
_ABOVE_0, _ABOVE_0_IN_F64 = (float(np.finfo(kind).smallest_subnormal) for kind in (np.float32, np.float64))


class Found(Protocol):
    """Hits, closest points, or lists of hits."""

    @property
    def prim(self) -> npt.NDArray[np.int64]: ...
    @property
    def u(self) -> Reals: ...
    @property
    def v(self) -> Reals: ...


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
        dirs, prim, shape = self._towards(hits, directions)
        return self._mesh._core.sides(prim[..., np.newaxis], dirs).reshape(shape)

    def spawn(self, hits: Found, directions: ArrayLike) -> SpawnedRays:
        """Returns rays that leave the surface at hits, for shadows, reflections and occlusion, which every question
        takes in place of rays, also those about other trees and scenes. No epsilon is involved: they skip the triangle
        that they leave, start on the side of it that they go to, and hit nothing that their origin lies on, such as a
        neighbour at a shared edge. So no ray that leaves a convex mesh outwards hits it again, and no near hit is
        lost. Directions are as for :meth:`sides`, rounded to ``float32`` unless the mesh is in ``float64`` or has an
        origin; rays of misses miss.

        >>> import estoc, numpy as np
        >>> bvh = estoc.Bvh(estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
        >>> hits = bvh.closest_hit([[-1, 0.1, 0.2, 1, 0, 0], [-1, 5, 5, 1, 0, 0]])
        >>> bvh.any_hit(bvh.spawn(hits, bvh.normals(hits)))
        array([False, False])
        >>> bvh.any_hit(bvh.spawn(hits, -bvh.normals(hits)))
        array([ True, False])
        """
        dirs, prim, shape = self._towards(hits, directions)
        is_wide = self._mesh.has_origin or self._mesh.dtype == np.float64
        if not is_wide:
            with np.errstate(over="ignore"):
                dirs = dirs.astype(np.float32, copy=False)
        weights = np.stack([np.broadcast_to(weight, shape) for weight in (hits.u, hits.v)], axis=-1)
        # A ray from the back goes to the front; any side will do for a direction in the plane.
        rows = prim[..., np.newaxis]
        to = np.where(self._mesh._core.sides(rows, dirs) < 0, 1, -1)
        origins = self._mesh._core.leave(rows, weights, to[:, np.newaxis]).reshape(dirs.shape)
        t_min = _ABOVE_0_IN_F64 if is_wide else _ABOVE_0
        return SpawnedRays(origins, dirs, prim, t_min, self._mesh)

    def _towards(
        self, hits: Found, directions: ArrayLike
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64], tuple[int, ...]]:
        """Returns the directions and the triangle of each, and their shape."""
        dirs, prim = _arrays.columns("directions", directions), self._mesh._prims(hits.prim)
        try:
            shape = np.broadcast_shapes(prim.shape, dirs.shape[:-1])
        except ValueError:
            raise ValueError(
                f"directions has the shape {dirs.shape}; wanted is {(*prim.shape, 3)}, as the hits have the shape "
                f"{prim.shape}, or one that numpy broadcasts with it"
            ) from None
        return np.broadcast_to(dirs, (*shape, 3)), np.broadcast_to(prim, shape), shape
