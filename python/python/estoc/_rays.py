"""Questions about rays that trees and scenes have in common."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Callable, Generic, Optional, TypedDict, TypeVar, Union

import numpy as np
import numpy.typing as npt

from . import _arrays, _estoc
from ._arrays import ArrayLike
from ._options import ALL_BITS, Cull, culled, flag, is_one, limit, mask_bits, real
from ._progress import Progress
from ._questions import Given, Questions
from ._results import SpawnedRays

if TYPE_CHECKING:
    from typing_extensions import Unpack

    class RayOptions(TypedDict, total=False):
        """The options of questions about rays, as :meth:`RayQuestions._rays` has them."""

        t_min: ArrayLike
        t_max: ArrayLike
        cull: Cull
        mask: ArrayLike
        skip: Optional[ArrayLike]
        after: Optional[ArrayLike]
        threads: Optional[int]
        progress: Progress


_Hits = TypeVar("_Hits", bound=tuple[Any, ...])
_HitLists = TypeVar("_HitLists", bound=tuple[Any, ...])
_Method = TypeVar("_Method", bound=Callable[..., Any])


def _options_of(asked: Callable[..., Any]) -> Callable[[_Method], _Method]:
    """Returns what writes out the options of a method in its signature, for ``help``: the keywords of ``asked``."""
    options = [each for each in inspect.signature(asked).parameters.values() if each.kind is each.KEYWORD_ONLY]

    def written(method: _Method) -> _Method:
        signature = inspect.signature(method)
        own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
        method.__signature__ = signature.replace(parameters=own + options)  # type: ignore[attr-defined]
        return method

    return written


class RayQuestions(Questions, Generic[_Hits, _HitLists]):
    """The questions about rays.

    ``rays`` is an array of the shape (..., 6), whose rows are ox, oy, oz, dx, dy, dz, or (..., 8), with
    t_min and t_max; or it has the origins, of the shape (..., 3), and ``directions`` the directions, of
    the same shape or one that numpy broadcasts; or it is :class:`~estoc.SpawnedRays`. ``float32`` and ``float64``
    may have any strides and are not copied. ``float64`` is rounded to the nearest ``float32`` when it is read, but not
    for a scene, nor for a mesh in ``float64`` or with an origin. Other real numbers are converted to the nearest ``float64`` first, so
    ``longdouble`` and integers above 2**53 are rounded twice. Masked numbers are refused. Answers have the shape of
    the rays without their last axis.

    Only hits with ``t_min <= t <= t_max`` count, by default from 0 on, where ``t`` is in units of the direction's length.
    Each is one number, or an array with one for each ray, and is not rounded; rays with bounds of their own have the
    inner ones. With bounds that no ``float32`` is, rays take as long as
    those in ``float64`` at a scene.
    ``cull="back"`` leaves out hits of back sides, ``cull="front"`` those of front sides. A ray
    sees what has a mask that shares a bit with ``mask``, one for all rays or an array: placements of a scene, and
    triangles of a tree with ``groups``. A ray with a NaN, or with a direction of 0, misses.

    ``skip`` has the number of a triangle that a ray does not see, -1 for none, such as that of the triangle which it
    starts on. With ``after``, only hits count that come after that of this triangle in order along the ray; a ray
    that does not hit it raises :class:`~estoc.QueryError`. Each is one number, an array with one for each ray, or the
    hits of an earlier question, as they must be for a scene. Numbers that no triangle of a tree has raise
    ``IndexError``.

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
        k: Optional[int] = None,
        max_hits: Optional[int] = None,
        open_ends: bool = False,
        *,
        t_min: Any = None,
        t_max: Any = None,
        cull: Cull = None,
        mask: Any = ALL_BITS,
        skip: Optional[ArrayLike] = None,
        after: Optional[ArrayLike] = None,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> Given:
        if isinstance(rays, SpawnedRays):
            if directions is not None or skip is not None:
                raise TypeError("directions and skip cannot be given with estoc.SpawnedRays, which have their own")
            # A NaN stays.
            least = np.float64(rays.t_min)
            t_min = rays.t_min if t_min is None else np.maximum(_arrays.as_numbers("t_min", t_min), least)
            # Other meshes have other triangles.
            skip = rays.skip if rays.mesh is getattr(self, "_mesh", None) else None
            directions, rays = rays.directions, rays.origins
        limits = (None, None) if k is None is max_hits else (limit("k", k), limit("max_hits", max_hits))
        arrays, shape = _arrays.rays(rays, directions)
        if t_min is None is t_max:
            ends = 0.0, np.inf
        else:
            arrays, ends = _bounded(arrays, t_min, t_max, shape)
        bits, masks = ALL_BITS, None
        if is_one(mask):
            bits = mask_bits(mask)
        else:
            masks = _arrays.for_each("mask", _arrays.as_bits("mask", mask), shape)[..., np.newaxis]
        skips = None if skip is None else self._triangles("skip", skip, shape)
        starts = None if after is None else self._triangles("after", after, shape)
        sides = None if cull is None else culled(cull)
        options = sides, bits, flag("open_ends", open_ends), *limits, self._thread_count(threads)
        return Given(_estoc.ask_rays, (arrays, (skips, starts, masks), *ends, *options), shape, progress)

    def _near(self, points: ArrayLike) -> ArrayLike:
        """Returns points in coordinates of the size of those of triangles."""
        return points

    def _triangles(
        self, name: str, given: ArrayLike, shape: tuple[int, ...]
    ) -> npt.NDArray[Any]:
        """Returns the triangle of each ray, as the compiled part takes it."""
        if hasattr(given, "path"):
            raise TypeError(f"{name} has the hits of a scene; wanted are those of the tree")
        prim = _arrays.as_integers(name, getattr(given, "prim", given))
        return _arrays.for_each(name, prim, shape)[..., np.newaxis]

    @_options_of(_rays)
    def closest_hit(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike] = None,
        *,
        out: Optional[_Hits] = None,
        **options: Unpack[RayOptions],
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
        given = self._rays(rays, directions, **options)
        return self._records("closest_hit", given, self._hits, out)

    @_options_of(_rays)
    def all_hits(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike] = None,
        *,
        k: Optional[int] = None,
        max_hits: Optional[int] = None,
        distinct: bool = False,
        **options: Unpack[RayOptions],
    ) -> _HitLists:
        """Returns all hits of each ray, or the first ``k``, in order along the ray. With ``distinct=True``, of hits
        at exactly the same ``t``, such as at an edge that triangles share, only that with the lowest number; with
        ``after``, of those that come after it.

        More than ``max_hits`` hits of all rays together raise :class:`~estoc.QueryError`.

        >>> import estoc
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]]
        >>> bvh = estoc.Bvh(estoc.Mesh(corners, [[0, 1, 2], [3, 4, 5]]))
        >>> hits = bvh.all_hits([[2, 2, 9, 0, 0, -1], [0.25, 0.25, 9, 0, 0, -1]])
        >>> hits.offsets, hits.prim, hits.ray
        (array([0, 0, 2]), array([1, 0]), array([1, 1]))
        """
        if flag("distinct", distinct):
            if k is not None:
                raise ValueError(f"k is {k}; it cannot be given with distinct=True")
            given = self._rays(rays, directions, None, max_hits, **options)
            return self._lists("distinct_hits", given, self._hit_lists)
        given = self._rays(rays, directions, k, max_hits, **options)
        return self._lists("all_hits", given, self._hit_lists)

    @_options_of(_rays)
    def crossings(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike] = None,
        *,
        max_hits: Optional[int] = None,
        **options: Unpack[RayOptions],
    ) -> _HitLists:
        """Returns the crossings of each ray with the surface, in order along the ray: one at an edge or
        vertex where triangles meet, and none where the ray only touches the surface."""
        given = self._rays(rays, directions, None, max_hits, **options)
        return self._lists("crossings", given, self._hit_lists)

    @_options_of(_rays)
    def any_hit(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike] = None,
        *,
        open_ends: bool = False,
        out: Optional[npt.NDArray[np.bool_]] = None,
        **options: Unpack[RayOptions],
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
        given = self._rays(rays, directions, open_ends=open_ends, **options)
        return self._numbers("any_hit", given, np.bool_, out)

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
        finite. ``float64`` is not rounded, but to itself relative to the origin of a mesh.

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
        arrays, shape = _arrays.rays(self._near(points), inward)
        given = Given(
            _estoc.sphere_thickness,
            (arrays, real("slack", slack), self._thread_count(threads)),
            shape,
            progress,
        )
        return self._numbers("sphere_thickness", given, np.float64, out)

    @_options_of(_rays)
    def count_hits(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike] = None,
        *,
        out: Optional[npt.NDArray[np.int64]] = None,
        **options: Unpack[RayOptions],
    ) -> npt.NDArray[np.int64]:
        """Returns the number of triangles that each ray touches: both of a shared edge count."""
        given = self._rays(rays, directions, **options)
        return self._numbers("count_hits", given, np.int64, out)

    @_options_of(_rays)
    def count_crossings(
        self,
        rays: ArrayLike,
        directions: Optional[ArrayLike] = None,
        *,
        out: Optional[npt.NDArray[np.int64]] = None,
        **options: Unpack[RayOptions],
    ) -> npt.NDArray[np.int64]:
        """Returns how often each ray crosses the surface: once at an edge that two triangles share.

        >>> import estoc
        >>> corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
        >>> bvh = estoc.Bvh(estoc.Mesh(corners, [[0, 1, 2], [0, 2, 3]]))
        >>> ray = [0.5, 0.5, 1, 0, 0, -1]  # down the edge of both triangles
        >>> int(bvh.count_hits(ray)), int(bvh.count_crossings(ray))
        (2, 1)
        """
        given = self._rays(rays, directions, **options)
        return self._numbers("count_crossings", given, np.int64, out)


def _bounded(
    arrays: _arrays.Rays, t_min: Any, t_max: Any, shape: tuple[int, ...]
) -> tuple[_arrays.Rays, tuple[float, float]]:
    """Returns rays with the bounds of each, unless all have the same: those."""
    first, second, own = arrays
    given = ("t_min", t_min, 0.0, np.maximum), ("t_max", t_max, np.inf, np.minimum)
    if own is None and is_one(t_min) and is_one(t_max):
        low, high = (default if t is None else real(name, t) for name, t, default, _ in given)
        return arrays, (low, high)
    both = np.empty((*shape, 2), np.float64)
    for place, (name, t, default, inner) in enumerate(given):
        bound = both[..., place]
        bound[...] = default if own is None else own[..., place]
        if t is not None:
            numbers = _arrays.for_each(name, _arrays.as_numbers(name, t), shape)
            # Of two, the later start and the earlier end. A NaN of either stays.
            bound[...] = numbers if own is None else inner(bound, numbers)
    return (first, second, both), (0.0, np.inf)
