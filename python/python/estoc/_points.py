"""Questions about what is near points, and about their side of the surface."""

from __future__ import annotations

from typing import Any, Generic, Optional, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from . import _arrays, _estoc
from ._arrays import ArrayLike
from ._options import Rule, choice, limit, real
from ._progress import Progress
from ._questions import Given, Questions
from ._results import ClosestPoints, PrimLists, Reals, WindingEstimates, WindingNumbers

#: The rules that decide whether a point is inside.
_RULES = get_args(Rule)


_Closest = TypeVar("_Closest", bound=tuple[Any, ...])
_Prims = TypeVar("_Prims", bound=tuple[Any, ...])


class PointQuestions(Questions, Generic[_Closest, _Prims]):
    """The questions about points that trees and scenes answer.

    ``points`` is an array of the shape (..., 3), ``float32`` or ``float64``, with any strides; answers
    have its shape without the last axis. For a scene and for a mesh in ``float64``, points are not rounded. Masks have no
    effect. Distances that are given are rounded to ``float32``, but not for a mesh in ``float64``.
    ``threads``, ``progress`` and ``out`` are as for rays.
    """

    __slots__ = ()
    _closest_points: type[_Closest]
    _prim_lists: type[_Prims]

    def _points(
        self,
        points: ArrayLike,
        threads: Optional[int],
        progress: Progress,
        *,
        most: float = np.inf,
        rule: Rule = "parity",
        max_hits: Optional[int] = None,
    ) -> Given:
        found = _arrays.columns("points", points)
        number = self._thread_count(threads)
        arguments = found, most, choice("rule", rule, _RULES), limit("max_hits", max_hits), number
        return Given(_estoc.ask_points, arguments, found.shape[:-1], progress)

    def distance(
        self,
        points: ArrayLike,
        *,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[Reals] = None,
    ) -> Reals:
        """Returns the distance of each point from the triangles, the nearest ``float32``, or ``float64`` for a mesh in
        ``float64``; ``inf`` for points that are not finite, and without triangles."""
        given = self._points(points, threads, progress)
        return self._numbers("distance", given, self._real, out)

    def closest_point(
        self,
        points: ArrayLike,
        *,
        max_distance: float = np.inf,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[_Closest] = None,
    ) -> _Closest:
        """Returns the closest point of the triangles to each point, if its exact distance is at most
        ``max_distance``. Of triangles that share the closest vertex or edge, it is that with the lowest
        number, in a scene on the first path.

        >>> import estoc
        >>> bvh = estoc.Bvh(estoc.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
        >>> found = bvh.closest_point([[1, 1, 3], [-3, 1, 4]])
        >>> found.distance, found.point.tolist()
        (array([3., 5.], dtype=float32), [[1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
        """
        given = self._points(points, threads, progress, most=real("max_distance", max_distance))
        return self._records("closest_point", given, self._closest_points, out)

    def within(
        self,
        points: ArrayLike,
        radius: float,
        *,
        max_hits: Optional[int] = None,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> _Prims:
        """Returns the triangles whose exact distance from each point is at most ``radius``. More than
        ``max_hits`` of all points together raise :class:`~estoc.QueryError`."""
        given = self._points(points, threads, progress, most=real("radius", radius), max_hits=max_hits)
        return self._lists("within", given, self._prim_lists)


class SignQuestions(PointQuestions[ClosestPoints, PrimLists]):
    """The questions about the side of a surface that points are on."""

    __slots__ = ()

    def signed_distance(
        self,
        points: ArrayLike,
        *,
        rule: Rule = "parity",
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[Reals] = None,
    ) -> Reals:
        """Returns the distance of each point from the surface, **negative inside** (trimesh has it the
        other way round); ``inf`` for points that are not finite.

        ``rule="parity"``: inside is where a ray crosses the surface an odd number of times; the mesh must
        be closed. ``"winding_number"``: where the surface winds around the point; the mesh must be closed
        and consistently oriented. ``"winding_estimate"``: for open meshes, not exact. Raises
        :class:`~estoc.SurfaceError` if the mesh has no inside by this rule.

        >>> import estoc
        >>> corners = [[0, 0, 0], [8, 0, 0], [0, 8, 0], [0, 0, 8]]
        >>> solid = estoc.Bvh(estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
        >>> solid.signed_distance([[1, 2, 2], [1, 2, -3]])
        array([-1.,  3.], dtype=float32)
        """
        given = self._points(points, threads, progress, rule=rule)
        if rule != "parity" or not self._has_origin:
            return self._numbers("signed_distance", given, self._real, out)
        distance = self._numbers("distance", given, self._real, out)
        inside = self._numbers("contains", given, np.bool_, None)
        np.negative(distance, out=distance, where=inside & (distance > 0))
        return distance

    def contains(
        self,
        points: ArrayLike,
        *,
        rule: Rule = "parity",
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[npt.NDArray[np.bool_]] = None,
    ) -> npt.NDArray[np.bool_]:
        """Returns whether each point is inside by a rule, or on the surface. Points that are not finite are
        outside. The rules are those of :meth:`signed_distance`; ``rule="winding_estimate"`` answers for open
        meshes, such as scans, and is not exact. Raises :class:`~estoc.SurfaceError` if the mesh has no
        inside by this rule.

        >>> import estoc
        >>> corners = [[0, 0, 0], [8, 0, 0], [0, 8, 0], [0, 0, 8]]
        >>> solid = estoc.Bvh(estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
        >>> solid.contains([[1, 1, 1], [5, 5, 5]])
        array([ True, False])
        """
        given = self._points(points, threads, progress, rule=rule)
        return self._numbers("contains", given, np.bool_, out)

    def winding_number(
        self,
        points: ArrayLike,
        *,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> WindingNumbers:
        """Returns how often a closed, consistently oriented surface winds around each point, exactly.
        Raises :class:`~estoc.SurfaceError` for other surfaces."""
        given = self._points(points, threads, progress)
        return self._records("winding_number", given, WindingNumbers, None)

    def winding_estimate(
        self,
        points: ArrayLike,
        *,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> WindingEstimates:
        """Returns an estimate of the generalised winding number of each point, for any surface, with a
        bound of its error."""
        given = self._points(points, threads, progress)
        return self._records("winding_estimate", given, WindingEstimates, None)
