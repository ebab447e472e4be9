"""Questions about rays that trees and scenes have in common."""

from __future__ import annotations

from typing import Any, Generic, Optional, TypeVar

import numpy as np
import numpy.typing as npt

from . import _arrays, _estoc
from ._arrays import ArrayLike
from ._options import ALL_BITS, culled, flag, limit, mask_bits, real
from ._progress import Progress
from ._questions import Given, Questions


_Hits = TypeVar("_Hits", bound=tuple[Any, ...])
_HitLists = TypeVar("_HitLists", bound=tuple[Any, ...])


class RayQuestions(Questions, Generic[_Hits, _HitLists]):
    """The questions about rays.

    ``rays`` is an array of the shape (..., 6), whose rows are ox, oy, oz, dx, dy, dz, or (..., 8), with
    t_min and t_max; or it has the origins, of the shape (..., 3), and ``directions`` the directions, of
    the same shape or one that numpy broadcasts. ``float32`` and ``float64`` may have any strides and are
    not copied; ``float64`` is rounded to the nearest ``float32`` when it is read, but not for a scene. Other real numbers are
    converted to the nearest ``float64`` first, so ``longdouble`` and integers above 2**53 are rounded twice.
    Masked numbers are refused. Answers have the shape of the rays without their last axis.

    Only hits with ``t_min <= t <= t_max`` count, where ``t`` is in units of the direction's length. For a scene,
    the bounds are not rounded; with those that no ``float32`` is, rays in ``float32`` take as long as in ``float64``.
    ``cull="back"`` leaves out hits of back sides, ``cull="front"`` those of front sides. A ray
    sees what has a mask that shares a bit with ``mask``: placements of a scene, and triangles of tree files
    with masks. A ray with a NaN, or with a direction of 0, misses.

    ``threads`` is the number of threads, at most 1024, by default that of the tree. No answer depends on it, to the
    bit. Other threads of Python run meanwhile. If they write to an array of rays that is being read, a
    ray may be made of old and new numbers; nothing else can happen. Ctrl-C ends a call.

    ``progress=True`` shows a bar of tqdm, if that is installed; a function is called with the number of
    rays done and the number of all. ``out`` takes an array, or :class:`~estoc.Hits`, for the answers; they
    must not share memory with each other or with the rays.
    """

    __slots__ = ()
    _hits: type[_Hits]
    _hit_lists: type[_HitLists]

    def _rays(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike],
        t_min: float,
        t_max: float,
        cull: Optional[str],
        mask: int,
        threads: Optional[int],
        k: Optional[int] = None,
        max_hits: Optional[int] = None,
        open_ends: bool = False,
    ) -> Given:
        limits = limit("k", k), limit("max_hits", max_hits)
        found, dirs, shape = _arrays.rays(rays, directions)
        number = self._thread_count(threads)
        bounds = real("t_min", t_min), real("t_max", t_max)
        options = culled(cull), mask_bits(mask), flag("open_ends", open_ends), *limits, number
        return Given(_estoc.ask_rays, (found, dirs, *bounds, *options), shape)

    def closest_hit(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike] = None,
        *,
        t_min: float = 0.0,
        t_max: float = np.inf,
        cull: Optional[str] = None,
        mask: int = ALL_BITS,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[_Hits] = None,
    ) -> _Hits:
        """Returns the first hit of each ray; of equals, that of the triangle with the lowest
        number, in a scene on the first path.

        >>> import estoc, numpy as np
        >>> bvh = estoc.Bvh(estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
        >>> image = np.zeros((2, 3, 6))  # 2 rows of 3 rays
        >>> image[..., 5] = 1
        >>> bvh.closest_hit(image).t.shape
        (2, 3)
        """
        given = self._rays(rays, directions, t_min, t_max, cull, mask, threads)
        return self._records("closest_hit", given, self._hits, progress, out)

    def all_hits(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike] = None,
        *,
        k: Optional[int] = None,
        max_hits: Optional[int] = None,
        t_min: float = 0.0,
        t_max: float = np.inf,
        cull: Optional[str] = None,
        mask: int = ALL_BITS,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> _HitLists:
        """Returns all hits of each ray, or the first ``k``, in order along the ray.

        More than ``max_hits`` hits of all rays together raise :class:`~estoc.QueryError`.

        >>> import estoc
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]]
        >>> bvh = estoc.Bvh(estoc.Mesh(corners, [[0, 1, 2], [3, 4, 5]]))
        >>> hits = bvh.all_hits([[2, 2, 9, 0, 0, -1], [0.25, 0.25, 9, 0, 0, -1]])
        >>> hits.offsets, hits.prim, hits.ray
        (array([0, 0, 2]), array([1, 0]), array([1, 1]))
        """
        given = self._rays(rays, directions, t_min, t_max, cull, mask, threads, k, max_hits)
        return self._lists("all_hits", given, self._hit_lists, progress)

    def crossings(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike] = None,
        *,
        max_hits: Optional[int] = None,
        t_min: float = 0.0,
        t_max: float = np.inf,
        cull: Optional[str] = None,
        mask: int = ALL_BITS,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> _HitLists:
        """Returns the crossings of each ray with the surface, in order along the ray: one at an edge or
        vertex where triangles meet, and none where the ray only touches the surface."""
        given = self._rays(rays, directions, t_min, t_max, cull, mask, threads, None, max_hits)
        return self._lists("crossings", given, self._hit_lists, progress)

    def any_hit(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike] = None,
        *,
        t_min: float = 0.0,
        t_max: float = np.inf,
        cull: Optional[str] = None,
        mask: int = ALL_BITS,
        open_ends: bool = False,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[npt.NDArray[np.bool_]] = None,
    ) -> npt.NDArray[np.bool_]:
        """Returns whether each ray hits anything. ``open_ends=True`` leaves out hits exactly at ``t_min`` or
        ``t_max``, as for the line of sight between points of the surface.

        >>> import estoc, numpy as np
        >>> bvh = estoc.Bvh(estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
        >>> bvh.any_hit([[0.25, 0.25, 1, 0, 0, -1], [2, 0.25, 1, 0, 0, -1]])
        array([ True, False])
        >>> start, end = np.array([0.25, 0.25, 0]), np.array([0.5, 0.5, 2])
        >>> segment = start, end - start
        >>> bool(bvh.any_hit(*segment, t_max=1)), bool(bvh.any_hit(*segment, t_max=1, open_ends=True))
        (True, False)
        """
        given = self._rays(rays, directions, t_min, t_max, cull, mask, threads, open_ends=open_ends)
        return self._numbers("any_hit", given, np.bool_, progress, out)

    def sphere_thickness(
        self,
        points: ArrayLike,
        inward: Optional[ArrayLike] = None,
        *,
        slack: float = 1 / 64,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[npt.NDArray[np.float64]] = None,
    ) -> npt.NDArray[np.float64]:
        """Returns the thickness at points of the surface: the diameter of the largest sphere that touches the
        surface there, has its centre in the direction ``inward``, against the normal, and no point of a
        triangle inside it. ``inf`` where nothing is inwards, NaN for points and directions that are not
        finite. ``float64`` is not rounded.

        It is an estimate: not too small, and no triangle is deeper inside the sphere than ``slack`` of its
        radius, 2**-21 of the point's greatest coordinate or 2**-45 of the scene's, unless 100 steps do not
        suffice. With a slack of 0, the facets of a round surface count as they are, and spheres near their
        edges are small.

        >>> import estoc
        >>> corners = [[-9, -9, 0], [9, -9, 0], [0, 9, 0], [-9, -9, 2], [9, -9, 2], [0, 9, 2]]
        >>> bvh = estoc.Bvh(estoc.Mesh(corners, [[0, 2, 1], [3, 4, 5]]))
        >>> bvh.sphere_thickness([[0, 0, 0], [0, 0, 2]], [0, 0, 1])
        array([ 2., inf])
        """
        found, dirs, shape = _arrays.rays(points, inward)
        given = Given(
            _estoc.sphere_thickness, (found, dirs, real("slack", slack), self._thread_count(threads)), shape
        )
        return self._numbers("sphere_thickness", given, np.float64, progress, out)

    def count_hits(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike] = None,
        *,
        t_min: float = 0.0,
        t_max: float = np.inf,
        cull: Optional[str] = None,
        mask: int = ALL_BITS,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[npt.NDArray[np.int64]] = None,
    ) -> npt.NDArray[np.int64]:
        """Returns the number of triangles that each ray touches: both of a shared edge count."""
        given = self._rays(rays, directions, t_min, t_max, cull, mask, threads)
        return self._numbers("count_hits", given, np.int64, progress, out)

    def count_crossings(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike] = None,
        *,
        t_min: float = 0.0,
        t_max: float = np.inf,
        cull: Optional[str] = None,
        mask: int = ALL_BITS,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[npt.NDArray[np.int64]] = None,
    ) -> npt.NDArray[np.int64]:
        """Returns how often each ray crosses the surface: once at an edge that two triangles share.

        >>> import estoc
        >>> corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
        >>> bvh = estoc.Bvh(estoc.Mesh(corners, [[0, 1, 2], [0, 2, 3]]))
        >>> ray = [0.5, 0.5, 1, 0, 0, -1]  # down the edge of both triangles
        >>> int(bvh.count_hits(ray)), int(bvh.count_crossings(ray))
        (2, 1)
        """
        given = self._rays(rays, directions, t_min, t_max, cull, mask, threads)
        return self._numbers("count_crossings", given, np.int64, progress, out)
