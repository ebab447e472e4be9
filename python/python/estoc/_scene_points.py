"""Questions about what is near points in scenes."""

from __future__ import annotations

from typing import Optional

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._arrays import ArrayLike
from ._options import limit, real
from ._points import Distances
from ._progress import Progress, reporter
from ._results import SceneClosestPoints, ScenePrimLists, targets


class ScenePointQuestions(Distances):
    """The questions about points in the world.

    ``points`` is an array of the shape (..., 3), ``float32`` or ``float64``, with any strides; answers
    have its shape without the last axis. Points are not rounded. Masks have no effect
    on points. ``threads``, ``progress`` and ``out`` are as for rays.
    """

    __slots__ = ()

    def closest_point(
        self,
        points: ArrayLike,
        *,
        max_distance: float = np.inf,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[SceneClosestPoints] = None,
    ) -> SceneClosestPoints:
        """Returns the closest point of the triangles to each point, if its exact distance is at most
        ``max_distance``. Of equally close ones, it is that of the first path, then of the lowest number.

        >>> import estoc, numpy as np
        >>> tile = estoc.Bvh(estoc.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
        >>> scene = estoc.Scene()
        >>> for x in (0.0, 10.0):
        ...     number = scene.add(tile, [[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, 0]])
        >>> found = scene.closest_point([[1, 1, 3], [11, 1, -2]])
        >>> found.placement, found.distance, found.point.tolist()
        (array([0, 1]), array([3., 2.], dtype=float32), [[1.0, 1.0, 0.0], [11.0, 1.0, 0.0]])
        """
        arguments, shape = self._points(points, threads)
        most = real("max_distance", max_distance)
        snapshot = self._questions
        depth = max(snapshot.depth(), 1)
        found = targets(SceneClosestPoints, out, shape, arguments[:1], depth)
        with reporter(progress, "closest_point") as report:
            snapshot.closest_point((*arguments, report), most, found._asdict())
        return found

    def contains(
        self,
        points: ArrayLike,
        *,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[npt.NDArray[np.bool_]] = None,
    ) -> npt.NDArray[np.bool_]:
        """Returns whether each point is inside at least one closed mesh, or on one, exactly. Meshes that
        are not closed are left out; :class:`~estoc.SurfaceError` is raised if none is closed. Points that
        are not finite are outside."""
        arguments, shape = self._points(points, threads)
        answers = _arrays.target(out, shape, np.bool_, arguments[:1])
        with reporter(progress, "contains") as report:
            self._questions.contains((*arguments, report), answers)
        return answers

    def within(
        self,
        points: ArrayLike,
        radius: float,
        *,
        max_hits: Optional[int] = None,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> ScenePrimLists:
        """Returns the triangles whose exact distance from each point is at most ``radius``. More than
        ``max_hits`` of all points together raise :class:`~estoc.QueryError`."""
        arguments, _ = self._points(points, threads)
        most, max_hits = real("radius", radius), limit("max_hits", max_hits)
        with reporter(progress, "within") as report:
            return ScenePrimLists(*self._questions.within((*arguments, report), most, max_hits))
