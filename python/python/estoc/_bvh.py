"""Trees and their questions."""

from __future__ import annotations

from typing import Any, NoReturn, Optional

import numpy as np
import numpy.typing as npt

from . import _arrays, _estoc
from ._arrays import ArrayLike
from ._hit_details import HitDetails
from ._mesh import Mesh, counted, made_by
from ._options import PathLike, Quality, choice, file_path, limit, real, shown, thread_count
from ._picture import Pictures
from ._points import SignQuestions
from ._progress import Progress, reporter
from ._questions import Given
from ._rays import RayQuestions
from ._results import (
    ClosestPoints,
    Coordinates,
    HitLists,
    Hits,
    Intersections,
    LeastDistance,
    PrimLists,
    Section,
    SphereContacts,
    SurfaceCheck,
)


class Bvh(RayQuestions[Hits, HitLists], SignQuestions, HitDetails, Pictures):
    """A tree over a mesh, which answers questions about rays and points exactly.

    ``quality`` is ``"fast"``, ``"balanced"`` or ``"best"``: how much work goes into the tree, for the
    speed of its queries. ``threads`` is the number of threads for the build and, unless a call says
    otherwise, for queries, at most 1024; all processors by default. Any number of threads may ask the same tree.
    ``groups`` has 32 bits for each triangle, an integer: a ray sees those that share a bit with its ``mask``.

    Rays, points and answers are in the coordinates of the world. For a mesh with an origin, these are ``float64``s,
    and rays and points are not rounded; but planes of sections are, and points for rules other than ``"parity"``,
    relative to the origin. For a mesh in ``float64``, rays, points, boxes, planes and moving spheres are used as they
    are, and all numbers of answers are ``float64``s.

    >>> import estoc
    >>> corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    >>> bvh = estoc.Bvh(estoc.Mesh(corners, [[0, 1, 2], [0, 2, 3]]))
    >>> hits = bvh.closest_hit([[0.5, 0.25, 3, 0, 0, -1], [5, 5, 3, 0, 0, -1]])
    >>> hits.prim, hits.t
    (array([ 0, -1]), array([ 3., inf], dtype=float32))
    """

    __slots__ = ("_core", "_has_origin", "_mesh", "_real", "__weakref__")
    _hits = Hits
    _hit_lists = HitLists
    _closest_points = ClosestPoints
    _prim_lists = PrimLists
    _core: _estoc.Bvh
    _mesh: Mesh

    def __init__(
        self,
        mesh: Mesh,
        *others: NoReturn,
        quality: Quality = "balanced",
        groups: Optional[ArrayLike] = None,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> None:
        if others or not isinstance(mesh, Mesh):
            raise TypeError(_no_mesh(mesh, others))
        choice("quality", quality, ("fast", "balanced", "best"))
        bits = None if groups is None else _arrays.as_bits("groups", groups)
        if bits is not None:
            if bits.shape != (len(mesh),):
                raise ValueError(f"groups has the shape {bits.shape}; wanted is {(len(mesh),)}, one for each triangle")
            bits = bits[:, np.newaxis]
        with reporter(progress, "build") as report:
            self._core = _estoc.Bvh(mesh._core, quality, bits, thread_count(threads), report)
        self._begin(mesh, threads)

    @classmethod
    def _of(cls, core: _estoc.Bvh, mesh: _estoc.Mesh, threads: Optional[int]) -> Bvh:
        bvh = cls.__new__(cls)
        bvh._core = core
        bvh._begin(Mesh._of(mesh), threads)
        return bvh

    def _begin(self, mesh: Mesh, threads: Optional[int]) -> None:
        self._mesh, self._has_origin, self._threads = mesh, mesh.has_origin, threads
        self._real = np.float64 if mesh.dtype == np.float64 else np.float32

    @property
    def _target(self) -> _estoc.Bvh:
        return self._core

    @classmethod
    def load(cls, path: PathLike, *, threads: Optional[int] = None) -> Bvh:
        """Loads a tree that :meth:`save`, or the command ``estoc``, saved."""
        thread_count(threads)
        core, mesh = _estoc.Bvh.load(file_path("path", path))
        return cls._of(core, mesh, threads)

    def save(self, path: PathLike) -> None:
        """Saves the tree. An existing file is replaced once the new one is complete."""
        self._core.save(file_path("path", path), self._mesh._core)

    def to_bytes(self) -> bytes:
        """Returns the bytes of a tree file."""
        return self._core.to_bytes(self._mesh._core)

    @classmethod
    def from_bytes(cls, data: bytes, *, threads: Optional[int] = None) -> Bvh:
        """Reads a tree from the bytes of a tree file.

        >>> import estoc
        >>> bvh = estoc.Bvh(estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
        >>> len(estoc.Bvh.from_bytes(bvh.to_bytes()))
        1
        """
        thread_count(threads)
        try:
            given = data if type(data) is bytes else bytes(memoryview(data))
        except TypeError:
            raise TypeError(f"data is {shown(data)}; wanted are bytes") from None
        core, mesh = _estoc.Bvh.from_bytes(given)
        return cls._of(core, mesh, threads)

    @property
    def mesh(self) -> Mesh:
        """The mesh. That of a file or of bytes may have vertices that are not shared."""
        return self._mesh

    @property
    def threads(self) -> Optional[int]:
        """The number of threads of queries; ``None`` for all processors."""
        return self._threads

    @property
    def bounds(self) -> Optional[Coordinates]:
        """The least and the greatest corner of the smallest box around all triangles; ``None`` without
        triangles."""
        return self._mesh.bounds

    def _near(self, points: ArrayLike) -> ArrayLike:
        return _arrays.columns("points", points) - self._mesh.origin if self._has_origin else points

    @property
    def is_closed(self) -> bool:
        """Whether every edge is used an even number of times, corners of equal position being joined:
        only then has the mesh an inside."""
        return self._core.is_closed()

    @property
    def quality(self) -> Optional[str]:
        """The quality that the tree was built with; ``None`` where a file does not tell."""
        return self._core.quality()

    @property
    def nbytes(self) -> int:
        """The memory of the tree in bytes."""
        return self._core.nbytes()

    def least_distance(
        self,
        other: Bvh,
        *,
        max_distance: float = np.inf,
        threads: Optional[int] = None,
    ) -> Optional[LeastDistance]:
        """Returns how far the surfaces of two meshes are apart, and where, if that is at most
        ``max_distance``; ``None`` otherwise, and for meshes without triangles with area. Raises
        ``ValueError`` if the origins of the meshes differ, and :class:`~estoc.QueryError` if one mesh is in
        ``float32`` and the other in ``float64``. ``max_distance`` is rounded to the nearest ``float32``, also for
        meshes in ``float64``.

        All is decided exactly: of pairs of triangles that are equally near, it is that with the lowest
        numbers, of this mesh first. Where triangles have a common point, the distance is 0, as where it
        rounds to 0.
        Triangles are not solid: of a mesh inside another one, it is the distance of the surfaces.

        >>> import estoc
        >>> sheet = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
        >>> spike = [[1, 1, 2], [9, 1, 9], [1, 9, 9]]
        >>> sheet, spike = [estoc.Bvh(estoc.Mesh(mesh, [[0, 1, 2]])) for mesh in (sheet, spike)]
        >>> nearest = sheet.least_distance(spike)
        >>> nearest.distance, nearest.point.tolist()
        (2.0, [[1.0, 1.0, 0.0], [1.0, 1.0, 2.0]])
        >>> sheet.least_distance(spike, max_distance=1.9) is None
        True
        """
        self._check_other(other)
        most = real("max_distance", max_distance)
        found = self._core.least_distance(other._core, most, self._thread_count(threads))
        if found is None:
            return None
        distance, prims, parts, points = found
        in_world = self._mesh._in_world(np.array(points, self._real))
        return LeastDistance(distance, np.array(prims, np.int64), np.array(parts, np.uint8), in_world)

    def check(self, *, threads: Optional[int] = None, progress: Progress = False) -> SurfaceCheck:
        """Returns what is wrong with the mesh, as the command ``estoc check`` tells it.

        >>> import estoc
        >>> corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]
        >>> solid = estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
        >>> estoc.Bvh(solid).check().is_ok, estoc.Bvh(estoc.Mesh(corners, solid.faces[1:])).check().open_edges
        (True, 3)
        """
        self._thread_count(threads)
        (open_edges, misoriented, crowded), volume, prims = self._core.check(self._mesh._core)
        orientation = None if volume is None else ("inwards", "neither", "outwards")[volume + 1]
        pairs = self.self_intersections(threads=threads, progress=progress)
        flat, again, first = prims
        return SurfaceCheck(open_edges, misoriented, crowded, orientation, flat, again, first, pairs)

    def overlaps(
        self,
        low: ArrayLike,
        high: ArrayLike,
        *,
        max_hits: Optional[int] = None,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> PrimLists:
        """Returns the triangles that have a point in each box, faces included, decided exactly. ``low`` and ``high``
        are the least and the greatest corners, of the shape (..., 3); a box whose least corner is above its greatest,
        or with a NaN, has no points. ``float64`` is rounded to the nearest ``float32``, relative to the origin of the
        mesh, but not for a mesh in ``float64``. More than ``max_hits`` triangles of all boxes together raise
        :class:`~estoc.QueryError`.

        >>> import estoc
        >>> bvh = estoc.Bvh(estoc.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [4, 4, 2]], [[0, 1, 2], [1, 3, 2]]))
        >>> bvh.overlaps([[0, 0, 0], [3, 3, 1]], [[1, 1, 1], [4, 4, 2]])
        PrimLists(offsets=array([0, 1, 2]), prim=array([0, 1]))
        """
        corners = _arrays.pairs(("low", low), ("high", high))[:2]
        boxes = np.concatenate([self._local(corner) for corner in corners], axis=-1)
        most, number = limit("max_hits", max_hits), self._thread_count(threads)
        with reporter(progress, "overlaps") as report:
            return PrimLists(*_estoc.overlaps(self._core, boxes, most, number, report))

    def sweep(
        self,
        centers: ArrayLike,
        velocities: ArrayLike,
        radius: ArrayLike,
        *,
        t_max: ArrayLike = np.inf,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[SphereContacts] = None,
    ) -> SphereContacts:
        """Returns the first contact of moving spheres with the mesh up to the time ``t_max``, which is in units of
        the velocity, decided exactly. Centers and velocities are of the shape (..., 3); ``radius``, 0 for a moving
        point, and ``t_max`` are one number or one for each sphere. ``float64`` is rounded to the nearest ``float32``,
        centers relative to the origin of the mesh, but not for a mesh in ``float64``. A sphere with a center or a
        velocity that is not finite, or with a radius or ``t_max`` that is negative or NaN, has no contact.

        >>> import estoc
        >>> floor = estoc.Bvh(estoc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]]))
        >>> contacts = floor.sweep([[0, 0, 3], [0, 0, 9]], [0, 0, -1], 1, t_max=5)
        >>> contacts.t, contacts.point[0].tolist()
        (array([ 2., inf], dtype=float32), [0.0, 0.0, 0.0])
        """
        starts, along, shape = _arrays.pairs(("centers", centers), ("velocities", velocities))
        numbers = (("radius", radius), ("t_max", t_max))
        columns = [_arrays.for_each(name, _arrays.as_numbers(name, each), shape) for name, each in numbers]
        with np.errstate(over="ignore"):
            rest = [np.asarray(part, self._real) for part in (along, *(column[..., np.newaxis] for column in columns))]
        spheres = np.concatenate([self._local(starts), *rest], axis=-1)
        given = Given(_estoc.sweep, (spheres, self._thread_count(threads)), shape, progress)
        found = self._records("sweep", given, SphereContacts, out)
        if self._has_origin:
            np.add(found.point, self._mesh.origin, out=found.point)
        return found

    def _local(self, points: npt.NDArray[Any]) -> Coordinates:
        """Returns points relative to the origin, as numbers of the type that the mesh has."""
        with np.errstate(over="ignore"):
            return self._mesh.from_world(points) if self._has_origin else points.astype(self._real, copy=False)

    def self_intersections(
        self, *, threads: Optional[int] = None, progress: Progress = False
    ) -> Intersections:
        """Returns the pairs of triangles of the mesh that have a common point which does not lie between
        corners that they share by position, decided exactly. Triangles without area intersect nothing."""
        return self._intersections(None, threads, progress)

    def intersections(
        self, other: Bvh, *, threads: Optional[int] = None, progress: Progress = False
    ) -> Intersections:
        """Returns the pairs of a triangle of this mesh and one of another, in the same coordinates, that
        have a common point, be it only a corner, decided exactly. A mesh that is wholly inside the other
        does not intersect it. One may be in ``float32`` and the other in ``float64``. Raises ``ValueError`` if
        the origins of the meshes differ.

        >>> import estoc
        >>> sheet = estoc.Bvh(estoc.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
        >>> spike = estoc.Bvh(estoc.Mesh([[1, 1, -1], [1, 1, 1], [9, 9, 0]], [[0, 1, 2]]))
        >>> sheet.intersections(spike)
        Intersections(first=array([0]), second=array([0]), kind=array([0], dtype=uint8))
        >>> len(sheet.self_intersections().kind)
        0
        """
        self._check_other(other)
        return self._intersections(other, threads, progress)

    def _check_other(self, other: Bvh) -> None:
        if not isinstance(other, Bvh):
            raise TypeError(f"other is a {type(other).__name__}; wanted is an estoc.Bvh")
        ours, theirs = self._mesh.origin.tolist(), other._mesh.origin.tolist()
        if ours != theirs:
            raise ValueError(f"other has its origin at {theirs}, and this at {ours}; they must be the same")

    def _intersections(
        self, other: Optional[Bvh], threads: Optional[int], progress: Progress
    ) -> Intersections:
        count = self._thread_count(threads)
        with reporter(progress, "intersections") as report:
            core = None if other is None else other._core
            found = self._core.intersections(core, count, report)
        return Intersections(*found)

    def section(self, point: ArrayLike, normal: ArrayLike) -> Section:
        """Returns the cut of the mesh with one plane; see :meth:`sections`."""
        [found] = self.sections([_arrays.point("point", point)], _arrays.point("normal", normal), threads=1)
        return found

    def sections(
        self,
        points: ArrayLike,
        normals: ArrayLike,
        *,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> list[Section]:
        """Returns the cuts of the mesh with the planes through points of the shape (N, 3), whose normals have
        that shape or one that numpy broadcasts to it, such as (3,) for one of all, and any length but 0.
        ``float64`` is rounded to the nearest ``float32``, points relative to the origin of the mesh, but not for a
        mesh in ``float64``. Raises :class:`~estoc.QueryError` for a plane with a number that is not finite, or
        without a normal.

        >>> import estoc
        >>> corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]
        >>> solid = estoc.Bvh(estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
        >>> [cut.area for cut in solid.sections([[0, 0, z] for z in (0.5, 1.5, 2.5)], [0, 0, 1])]
        [6.125, 3.125, 1.125]
        """
        at, along, shape = _arrays.pairs(("points", points), ("normals", normals))
        if len(shape) != 1:
            raise ValueError(f"points has the shape {at.shape}; wanted is (N, 3)")
        planes, number = np.concatenate([at, along], axis=1), self._thread_count(threads)
        with reporter(progress, "sections") as report:
            cuts = [Section(*parts) for parts in _estoc.sections(self._core, planes, number, report)]
        return [self._cut_in_world(cut) for cut in cuts] if self._has_origin else cuts

    def _cut_in_world(self, cut: Section) -> Section:
        to_3d, normal = cut.to_3d.copy(), cut.to_3d[:3, 2]
        # Coordinates in the plane are those of the world along its axes.
        to_3d[:3, 3] += normal * (normal @ self._mesh.origin)
        return cut._replace(points=self._mesh._in_world(cut.points), to_3d=to_3d)

    def _paint(self, to: Optional[Any], arguments: tuple[Any, ...]) -> npt.NDArray[np.uint8]:
        if to is not None and not isinstance(to, Bvh):
            raise TypeError(f"to is a {type(to).__name__}; wanted is an estoc.Bvh")
        other = None
        if to is not None:
            self._check_other(to)
            other = to._core
        return _estoc.paint_mesh(self._mesh._core, self._core, other, arguments)

    def __len__(self) -> int:
        return self._core.face_count()

    def __repr__(self) -> str:
        triangles = counted(self._core.face_count(), "triangle", "triangles")
        quality = self.quality
        built = "" if quality is None else f", {quality}"
        wide = ", float64" if self._real is np.float64 else ""
        return f"<estoc.Bvh: {triangles}{wide}{built}, {self.nbytes:,} bytes>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickled, (self.to_bytes(), self._threads))


def _no_mesh(mesh: Any, others: tuple[Any, ...]) -> str:
    """Returns what to say to someone who gives something else than one mesh."""
    if isinstance(mesh, Mesh):
        return f"{shown(others[0])} follows the mesh; all else is given by name, such as quality=\"best\""
    if others:
        return f"mesh is {shown(mesh)}; wanted is an estoc.Mesh: estoc.Bvh(estoc.Mesh(vertices, faces))"
    return f"mesh is {shown(mesh)}; wanted is an estoc.Mesh, such as {made_by(mesh)}"


def _unpickled(data: bytes, threads: Optional[int]) -> Bvh:
    return Bvh.from_bytes(data, threads=threads)
