"""Answers as arrays."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Iterable, NamedTuple, Optional, TypeVar, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

from . import _arrays


class Hits(NamedTuple):
    """One hit or none for each ray. Every array has the shape of the rays without their last axis.

    A ray that misses has ``prim == -1``, and only that tells it: the ``t`` of a hit that is very far
    away may be infinite too.
    """

    t: npt.NDArray[np.float32]
    """The parameter along the ray, in units of the direction's length; ``inf`` for a miss."""
    prim: npt.NDArray[np.int64]
    """The number of the triangle; -1 for a miss."""
    u: npt.NDArray[np.float32]
    """The weight of the triangle's second vertex; 0 for a miss."""
    v: npt.NDArray[np.float32]
    """The weight of the triangle's third vertex; 0 for a miss."""

    @property
    def is_hit(self) -> npt.NDArray[np.bool_]:
        """Whether each ray hits anything."""
        return np.asarray(self.prim >= 0)


class LeastDistance(NamedTuple):
    """How far two meshes are apart, and where: each array has one row for each mesh."""

    distance: float
    """The distance of the two points, the nearest ``float32``; ``inf`` where it overflows."""
    prim: npt.NDArray[np.int64]
    """The numbers of the nearest triangles."""
    feature: npt.NDArray[np.uint8]
    """The parts of the triangles that the points lie on: 0 to 2 for a vertex, 3 to 5 for the edge from
    the vertex of that number less 3, and 6 for the face."""
    point: npt.NDArray[np.float32]
    """The points, of shape (2, 3), each coordinate the nearest ``float32``."""


class HitLists(NamedTuple):
    """Any number of hits for each ray: those of ray ``i``, in its order, are at
    ``offsets[i]:offsets[i + 1]`` of the other arrays. Rays count in C order."""

    offsets: npt.NDArray[np.int64]
    """The index of each ray's first hit, followed by the number of all hits."""
    t: npt.NDArray[np.float32]
    """The parameters along the rays."""
    prim: npt.NDArray[np.int64]
    """The numbers of the triangles."""
    u: npt.NDArray[np.float32]
    """The weights of the second vertices."""
    v: npt.NDArray[np.float32]
    """The weights of the third vertices."""

    @property
    def ray(self) -> npt.NDArray[np.int64]:
        """The index of the ray of each hit."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


class ClosestPoints(NamedTuple):
    """One closest point or none for each point. Every array has the shape of the points without their
    last axis, ``point`` with it.

    A point without a closest point, such as one that is not finite, has ``prim == -1``.
    """

    point: npt.NDArray[np.float32]
    """The closest point; NaN where there is none."""
    distance: npt.NDArray[np.float32]
    """Its distance; ``inf`` where there is none."""
    prim: npt.NDArray[np.int64]
    """The number of its triangle; -1 where there is none."""
    u: npt.NDArray[np.float32]
    """The weight of the triangle's second vertex."""
    v: npt.NDArray[np.float32]
    """The weight of the triangle's third vertex."""
    feature: npt.NDArray[np.uint8]
    """Where it lies on its triangle: 0, 1, 2 for the vertices, 3, 4, 5 for the edges that start there, 6
    for the face; 255 where there is none."""


class PrimLists(NamedTuple):
    """Any number of triangles for each point: those of point ``i`` are at
    ``prim[offsets[i]:offsets[i + 1]]``."""

    offsets: npt.NDArray[np.int64]
    """The index of each point's first triangle, followed by the number of all."""
    prim: npt.NDArray[np.int64]
    """The numbers of the triangles."""


class Intersections(NamedTuple):
    """Pairs of triangles that intersect, by the number of the first and then by that of the second."""

    first: npt.NDArray[np.int64]
    """The number of the triangle of the mesh that is asked; of one mesh, that with the lower number."""
    second: npt.NDArray[np.int64]
    """The number of the triangle of the other mesh, or of the same."""
    kind: npt.NDArray[np.uint8]
    """How they meet: 0 if they cross, some point being inside both; 1 if they lie in one plane and have a
    common area; 2 if they only touch."""


class WindingNumbers(NamedTuple):
    """The winding number of each point."""

    number: npt.NDArray[np.int64]
    """The winding number; 0 on the surface, and for points that are not finite."""
    on_surface: npt.NDArray[np.bool_]
    """Whether the point is on the surface, where there is no winding number."""


class WindingEstimates(NamedTuple):
    """An estimate of the generalised winding number of each point."""

    value: npt.NDArray[np.float64]
    """The estimate."""
    error: npt.NDArray[np.float64]
    """A bound of its error."""


class SceneHits(NamedTuple):
    """One hit or none for each ray of a scene; see :class:`~estoc.Hits`."""

    t: npt.NDArray[np.float32]
    """The parameter along the ray, in units of the direction's length; ``inf`` for a miss."""
    prim: npt.NDArray[np.int64]
    """The number of the triangle in its mesh; -1 for a miss."""
    u: npt.NDArray[np.float32]
    """The weight of the triangle's second vertex; 0 for a miss."""
    v: npt.NDArray[np.float32]
    """The weight of the triangle's third vertex; 0 for a miss."""
    path: npt.NDArray[np.int64]
    """The numbers of the placements that lead to the mesh, from the outermost on a last axis, followed by
    -1 where there are fewer than on the longest path of the scene; all -1 for a miss."""

    @property
    def is_hit(self) -> npt.NDArray[np.bool_]:
        """Whether each ray hits anything."""
        return np.asarray(self.prim >= 0)

    @property
    def placement(self) -> npt.NDArray[np.int64]:
        """The number of the outermost placement; -1 for a miss."""
        return self.path[..., 0]


class SceneClosestPoints(NamedTuple):
    """The closest point of a scene to each point, or none; see :class:`~estoc.ClosestPoints`."""

    point: npt.NDArray[np.float64]
    """The closest point in the world, the nearest ``float64``; NaN where there is none."""
    distance: npt.NDArray[np.float32]
    """Its distance; ``inf`` where there is none."""
    prim: npt.NDArray[np.int64]
    """The number of its triangle in its mesh; -1 where there is none."""
    u: npt.NDArray[np.float32]
    """The weight of the triangle's second vertex."""
    v: npt.NDArray[np.float32]
    """The weight of the triangle's third vertex."""
    feature: npt.NDArray[np.uint8]
    """Where it lies on its triangle, as in :class:`~estoc.ClosestPoints`."""
    path: npt.NDArray[np.int64]
    """The numbers of the placements, as in :class:`~estoc.SceneHits`."""

    @property
    def placement(self) -> npt.NDArray[np.int64]:
        """The number of the outermost placement; -1 where there is none."""
        return self.path[..., 0]


class ScenePrimLists(NamedTuple):
    """Any number of triangles of a scene for each point; see :class:`~estoc.PrimLists`."""

    offsets: npt.NDArray[np.int64]
    """The index of each point's first triangle, followed by the number of all."""
    prim: npt.NDArray[np.int64]
    """The numbers of the triangles in their meshes."""
    path: npt.NDArray[np.int64]
    """The numbers of the placements, as in :class:`~estoc.SceneHits`."""

    @property
    def placement(self) -> npt.NDArray[np.int64]:
        """The number of the outermost placement."""
        return self.path[..., 0]


class SceneHitLists(NamedTuple):
    """Any number of hits for each ray of a scene; see :class:`~estoc.HitLists`."""

    offsets: npt.NDArray[np.int64]
    """The index of each ray's first hit, followed by the number of all hits."""
    t: npt.NDArray[np.float32]
    """The parameters along the rays."""
    prim: npt.NDArray[np.int64]
    """The numbers of the triangles in their meshes."""
    u: npt.NDArray[np.float32]
    """The weights of the second vertices."""
    v: npt.NDArray[np.float32]
    """The weights of the third vertices."""
    path: npt.NDArray[np.int64]
    """The numbers of the placements, as in :class:`~estoc.SceneHits`."""

    @property
    def placement(self) -> npt.NDArray[np.int64]:
        """The number of the outermost placement."""
        return self.path[..., 0]

    @property
    def ray(self) -> npt.NDArray[np.int64]:
        """The index of the ray of each hit."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


_Answers = TypeVar("_Answers", bound=tuple[Any, ...])


def targets(
    kind: type[_Answers],
    out: Optional[_Answers],
    shape: tuple[int, ...],
    given: Iterable[Any],
    depth: int = 0,
) -> _Answers:
    """Returns the arrays that answers of a kind to given arguments are written to: ``out``, or new ones.
    Paths have ``depth`` numbers."""
    ends = {"point": (3,), "path": (depth,)}
    wanted = [(name, shape + ends.get(name, ()), dtype) for name, dtype in _types(kind)]
    return kind(*_arrays.targets(out, kind.__name__, wanted, given))


@lru_cache(maxsize=None)
def _types(kind: type[Any]) -> list[tuple[str, type[np.generic]]]:
    """Returns the names of the fields and the types of their numbers."""
    # NDArray[x] is ndarray[Any, dtype[x]].
    hints = get_type_hints(kind).items()
    return [(name, get_args(get_args(hint)[1])[0]) for name, hint in hints]
