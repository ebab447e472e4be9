"""Answers as arrays."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Iterable, NamedTuple, Optional, TypeVar, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

from . import _arrays

#: Coordinates in the world, each the nearest ``float32``, of a mesh in ``float64`` the nearest ``float64``. For a mesh
#: with an origin they are ``float64``: the nearest, or the sum of the nearest ``float32`` relative to the origin and that.
Coordinates = npt.NDArray[np.floating[Any]]

#: Other numbers of answers: each the nearest ``float32``, of a mesh in ``float64`` the nearest ``float64``.
Reals = npt.NDArray[np.floating[Any]]


class Hits(NamedTuple):
    """One hit or none for each ray. Every array has the shape of the rays without their last axis.

    A ray that misses has ``prim == -1``, and only that tells it: the ``t`` of a hit that is very far
    away may be infinite too.
    """

    t: Reals
    """The parameter along the ray, in units of the direction's length; ``inf`` for a miss."""
    prim: npt.NDArray[np.int64]
    """The number of the triangle; -1 for a miss."""
    u: Reals
    """The weight of the triangle's second vertex; 0 for a miss."""
    v: Reals
    """The weight of the triangle's third vertex; 0 for a miss."""

    @property
    def is_hit(self) -> npt.NDArray[np.bool_]:
        """Whether each ray hits anything."""
        return np.asarray(self.prim >= 0)


class LeastDistance(NamedTuple):
    """How far two meshes are apart, and where: each array has one row for each mesh."""

    distance: float
    """The distance of the two points, the nearest ``float32``, for meshes in ``float64`` the nearest ``float64``;
    ``inf`` where it overflows."""
    prim: npt.NDArray[np.int64]
    """The numbers of the nearest triangles."""
    feature: npt.NDArray[np.uint8]
    """The parts of the triangles that the points lie on: 0 to 2 for a vertex, 3 to 5 for the edge from
    the vertex of that number less 3, and 6 for the face."""
    point: Coordinates
    """The points, of the shape (2, 3)."""


class HitLists(NamedTuple):
    """Any number of hits for each ray: those of ray ``i``, in its order, are at
    ``offsets[i]:offsets[i + 1]`` of the other arrays. Rays count in C order."""

    offsets: npt.NDArray[np.int64]
    """The index of each ray's first hit, followed by the number of all hits."""
    t: Reals
    """The parameters along the rays."""
    prim: npt.NDArray[np.int64]
    """The numbers of the triangles."""
    u: Reals
    """The weights of the second vertices."""
    v: Reals
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

    point: Coordinates
    """The closest point; NaN where there is none."""
    distance: Reals
    """Its distance; ``inf`` where there is none."""
    prim: npt.NDArray[np.int64]
    """The number of its triangle; -1 where there is none."""
    u: Reals
    """The weight of the triangle's second vertex."""
    v: Reals
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


class SphereContacts(NamedTuple):
    """The first contact of each moving sphere with a mesh, or none, where ``prim == -1``."""

    t: Reals
    """The time of contact, in units of the velocity; ``inf`` where there is none."""
    prim: npt.NDArray[np.int64]
    """The number of the triangle."""
    point: Coordinates
    """The point of the triangle that is touched; NaN where there is none."""
    feature: npt.NDArray[np.uint8]
    """The part of the triangle that it lies on, as in :class:`~estoc.ClosestPoints`."""
    is_touching_at_start: npt.NDArray[np.bool_]
    """Whether the sphere touches or intersects the triangle at the start; ``t`` is 0 then."""


class SurfaceCheck(NamedTuple):
    """What is wrong with a mesh before it is printed or simulated, decided exactly; corners of equal position are
    one."""

    open_edges: int
    """The number of edges that an odd number of triangles use: the mesh is not closed."""
    misoriented_edges: int
    """The number of edges where triangles face different sides: they use it more often in one direction than in the
    other, by more than one where it is open."""
    crowded_edges: int
    """The number of edges that more than two triangles use."""
    orientation: Optional[str]
    """``"outwards"`` or ``"inwards"``, by the sign of the volume; ``"neither"`` for a volume of 0; ``None`` for a mesh
    that is open or not consistently oriented."""
    degenerate: npt.NDArray[np.int64]
    """The numbers of triangles without area."""
    duplicate: npt.NDArray[np.int64]
    """The numbers of triangles with the corners of an earlier one."""
    duplicate_of: npt.NDArray[np.int64]
    """The numbers of these."""
    self_intersections: Intersections
    """The pairs of triangles that intersect."""

    @property
    def is_ok(self) -> bool:
        """Whether nothing is wrong."""
        edges = self.open_edges + self.misoriented_edges + self.crowded_edges
        prims = self.degenerate, self.duplicate, self.self_intersections.first
        return edges == 0 and self.orientation != "inwards" and not any(map(len, prims))


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
    """One hit or none for each ray of a scene: what :class:`~estoc.Hits` has, with triangles numbered in their
    meshes, and paths."""

    t: npt.NDArray[np.float32]
    prim: npt.NDArray[np.int64]
    u: npt.NDArray[np.float32]
    v: npt.NDArray[np.float32]
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
    """The closest point of a scene to each point, or none: what :class:`~estoc.ClosestPoints` has, with triangles
    numbered in their meshes, and paths."""

    point: npt.NDArray[np.float64]
    """The closest point in the world, the nearest ``float64``; NaN where there is none."""
    distance: npt.NDArray[np.float32]
    prim: npt.NDArray[np.int64]
    u: npt.NDArray[np.float32]
    v: npt.NDArray[np.float32]
    feature: npt.NDArray[np.uint8]
    path: npt.NDArray[np.int64]
    """The numbers of the placements, as in :class:`~estoc.SceneHits`."""

    @property
    def placement(self) -> npt.NDArray[np.int64]:
        """The number of the outermost placement; -1 where there is none."""
        return self.path[..., 0]


class ScenePrimLists(NamedTuple):
    """Any number of triangles of a scene for each point: what :class:`~estoc.PrimLists` has, with triangles
    numbered in their meshes, and paths."""

    offsets: npt.NDArray[np.int64]
    prim: npt.NDArray[np.int64]
    path: npt.NDArray[np.int64]
    """The numbers of the placements, as in :class:`~estoc.SceneHits`."""

    @property
    def placement(self) -> npt.NDArray[np.int64]:
        """The number of the outermost placement."""
        return self.path[..., 0]


class SceneHitLists(NamedTuple):
    """Any number of hits for each ray of a scene: what :class:`~estoc.HitLists` has, with triangles numbered in
    their meshes, and paths."""

    offsets: npt.NDArray[np.int64]
    t: npt.NDArray[np.float32]
    prim: npt.NDArray[np.int64]
    u: npt.NDArray[np.float32]
    v: npt.NDArray[np.float32]
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


class SpawnedRays(NamedTuple):
    """Rays that leave a surface, of :meth:`estoc.Bvh.spawn`; every question about rays takes them as ``rays``."""

    origins: Coordinates
    """Where they start: on the triangle that they leave, or on the side of it that they go to."""
    directions: npt.NDArray[Any]
    """Their directions."""
    skip: npt.NDArray[np.int64]
    """The triangle that each one leaves; -1 for a ray of nothing, which misses."""
    t_min: float
    """The smallest number above 0: what their origin lies on is not hit."""
    mesh: Any
    """The mesh whose triangles these are. Other meshes have other triangles, none of which is skipped."""


class Section(NamedTuple):
    """The cut of a mesh with a plane, as polylines; those of a closed mesh are closed."""

    points: Coordinates
    """The points of all polylines, of the shape (N, 3): those of polyline ``i`` are at
    ``offsets[i]:offsets[i + 1]``. The last point of a closed one is not the first again."""
    prim: npt.NDArray[np.int64]
    """The number of the triangle across which the segment from each point leads."""
    offsets: npt.NDArray[np.int64]
    """The index of each polyline's first point, followed by the number of all."""
    areas: npt.NDArray[np.float64]
    """The area of each polyline, with an exact sign: positive where it runs counterclockwise as seen from where
    the normal points, as around the inside of a mesh that faces outwards. NaN for an open one."""
    parents: npt.NDArray[np.int64]
    """The polyline that each one lies in, the innermost; -1 where there is none."""
    is_hole: npt.NDArray[np.bool_]
    """Whether each polyline lies directly in one that is no hole."""
    area: Optional[float]
    """The area that the polylines enclose, without holes, within 2**-35 of the sum of all; ``None`` if one is
    open."""
    to_3d: npt.NDArray[np.float64]
    """The matrix of the shape (4, 4) from coordinates in the plane, x to the right, y up, 0, 1, to space."""

    @property
    def polylines(self) -> list[Coordinates]:
        """The points of each polyline, of the shape (n, 3)."""
        return np.split(self.points, self.offsets[1:])[:-1]

    def polygons(self) -> list[tuple[npt.NDArray[np.float64], list[npt.NDArray[np.float64]]]]:
        """Returns the polygons that closed polylines enclose: of each its outline and its holes, of the shape
        (n, 2), in coordinates of the plane, as ``shapely.Polygon(outline, holes)`` takes them; :attr:`to_3d`
        leads back to space. Polylines without area are left out. Exact points decide which is whose hole; these
        are rounded, so shapely may call a polygon invalid whose outline nearly touches itself.

        >>> import estoc
        >>> corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]
        >>> solid = estoc.Bvh(estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
        >>> [(outline, holes)] = solid.section([0, 0, 1], [0, 0, 1]).polygons()
        >>> outline.tolist(), holes
        ([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]], [])
        """
        rings = np.split(self.points.astype(np.float64) @ self.to_3d[:3, :2] + 0.0, self.offsets[1:])
        has_area = np.nan_to_num(self.areas) != 0
        holes: dict[int, list[npt.NDArray[np.float64]]] = {
            int(i): [] for i in np.flatnonzero(has_area & ~self.is_hole)
        }
        for i in np.flatnonzero(has_area & self.is_hole):
            holes[int(self.parents[i])].append(rings[i])
        return [(rings[i], inside) for i, inside in holes.items()]


_Answers = TypeVar("_Answers", bound=tuple[Any, ...])


def targets(
    kind: type[_Answers],
    out: Optional[_Answers],
    shape: tuple[int, ...],
    given: Iterable[Any],
    depth: int = 0,
    real: type[np.generic] = np.float32,
    is_wide: bool = False,
) -> _Answers:
    """Returns the arrays that answers of a kind to given arguments are written to: ``out``, or new ones.
    Paths have ``depth`` numbers. Numbers of any width are of the type ``real``; points are, too, or ``float64``."""
    fields = _fields(kind, depth, real is np.float64, is_wide)
    if out is None:
        return kind(*[np.empty(shape + end, dtype) for _, end, dtype in fields])
    wanted = [(name, shape + end, dtype) for name, end, dtype in fields]
    return kind(*_arrays.targets(out, kind.__name__, wanted, given))


@lru_cache(maxsize=None)
def _fields(
    kind: type[Any], depth: int, has_wide_reals: bool, has_wide_points: bool
) -> list[tuple[str, tuple[int, ...], type[np.generic]]]:
    """Returns the names of the fields, the shapes of one answer, and the types of numbers."""
    ends = {"point": (3,), "path": (depth,)}
    hints = get_type_hints(kind).items()
    real = np.float64 if has_wide_reals else np.float32
    of_any_width = {"point": np.float64 if has_wide_points else real}
    return [(name, ends.get(name, ()), _number(hint) or of_any_width.get(name, real)) for name, hint in hints]


def _number(hint: Any) -> Optional[type[np.generic]]:
    # NDArray[x] is ndarray[Any, dtype[x]], or has x alone, by the version of numpy.
    inner = get_args(hint)
    if inner:
        return _number(inner[-1])
    return None if hint is Any else hint
