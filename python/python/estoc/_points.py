"""Questions about what is near points, and about their side of the surface."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._arrays import ArrayLike
from ._options import choice, limit, real, thread_count
from ._progress import Progress, reporter
from ._results import ClosestPoints, PrimLists, WindingEstimates, WindingNumbers, targets

#: The rules that decide whether a point is inside.
_RULES = ("parity", "winding_number", "winding_estimate")


class Distances:
    """The question about distances, which trees and scenes answer."""

    __slots__ = ()
    _threads: Optional[int]

    @property
    def _questions(self) -> Any:
        """The compiled object that answers."""
        raise NotImplementedError

    def _points(
        self, points: ArrayLike, threads: Optional[int]
    ) -> tuple[list[Any], tuple[int, ...]]:
        found = _arrays.columns("points", points)
        number = thread_count(self._threads if threads is None else threads)
        return [found, number], found.shape[:-1]

    def distance(
        self,
        points: ArrayLike,
        *,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[npt.NDArray[np.float32]] = None,
    ) -> npt.NDArray[np.float32]:
        """Returns the distance of each point from the triangles, the nearest ``float32``; ``inf`` for
        points that are not finite, and without triangles."""
        arguments, shape = self._points(points, threads)
        answers = _arrays.target(out, shape, np.float32, arguments[:1])
        with reporter(progress, "distance") as report:
            self._questions.distance((*arguments, report), answers)
        return answers


class PointQuestions(Distances):
    """The questions about points.

    ``points`` is an array of the shape (..., 3), ``float32`` or ``float64``, with any strides; answers
    have its shape without the last axis. ``threads``, ``progress`` and ``out`` are as for rays.
    """

    __slots__ = ()

    def closest_point(
        self,
        points: ArrayLike,
        *,
        max_distance: float = np.inf,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[ClosestPoints] = None,
    ) -> ClosestPoints:
        """Returns the closest point of the triangles to each point, if its exact distance is at most
        ``max_distance``. Of triangles that share the closest vertex or edge, it is that with the lowest
        number.

        >>> import estoc
        >>> bvh = estoc.Bvh(estoc.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
        >>> found = bvh.closest_point([[1, 1, 3], [-3, 1, 4]])
        >>> found.distance, found.point.tolist()
        (array([3., 5.], dtype=float32), [[1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
        """
        arguments, shape = self._points(points, threads)
        most = real("max_distance", max_distance)
        found = targets(ClosestPoints, out, shape, arguments[:1])
        with reporter(progress, "closest_point") as report:
            self._questions.closest_point((*arguments, report), most, found._asdict())
        return found

    def signed_distance(
        self,
        points: ArrayLike,
        *,
        rule: str = "parity",
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[npt.NDArray[np.float32]] = None,
    ) -> npt.NDArray[np.float32]:
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
        arguments, shape = self._points(points, threads)
        answers = _arrays.target(out, shape, np.float32, arguments[:1])
        choice("rule", rule, _RULES)
        with reporter(progress, "signed_distance") as report:
            self._questions.signed_distance((*arguments, report), rule, answers)
        return answers

    def contains(
        self,
        points: ArrayLike,
        *,
        rule: str = "parity",
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
        arguments, shape = self._points(points, threads)
        answers = _arrays.target(out, shape, np.bool_, arguments[:1])
        choice("rule", rule, _RULES)
        with reporter(progress, "contains") as report:
            self._questions.contains((*arguments, report), rule, answers)
        return answers

    def winding_number(
        self,
        points: ArrayLike,
        *,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> WindingNumbers:
        """Returns how often a closed, consistently oriented surface winds around each point, exactly.
        Raises :class:`~estoc.SurfaceError` for other surfaces."""
        arguments, shape = self._points(points, threads)
        found = targets(WindingNumbers, None, shape, ())
        with reporter(progress, "winding_number") as report:
            self._questions.winding_number((*arguments, report), found._asdict())
        return found

    def winding_estimate(
        self,
        points: ArrayLike,
        *,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> WindingEstimates:
        """Returns an estimate of the generalised winding number of each point, for any surface, with a
        bound of its error."""
        arguments, shape = self._points(points, threads)
        found = targets(WindingEstimates, None, shape, ())
        with reporter(progress, "winding_estimate") as report:
            self._questions.winding_estimate((*arguments, report), found._asdict())
        return found

    def within(
        self,
        points: ArrayLike,
        radius: float,
        *,
        max_hits: Optional[int] = None,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> PrimLists:
        """Returns the triangles whose exact distance from each point is at most ``radius``. More than
        ``max_hits`` of all points together raise :class:`~estoc.QueryError`."""
        arguments, _ = self._points(points, threads)
        most, max_hits = real("radius", radius), limit("max_hits", max_hits)
        with reporter(progress, "within") as report:
            return PrimLists(*self._questions.within((*arguments, report), most, max_hits))
