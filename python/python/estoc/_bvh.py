"""Trees and their questions."""

from __future__ import annotations

from typing import Any, NoReturn, Optional

import numpy as np
import numpy.typing as npt

from . import _arrays, _estoc
from ._arrays import ArrayLike
from ._hit_details import HitDetails
from ._mesh import Mesh, counted, made_by
from ._options import PathLike, Quality, choice, file_path, real, shown, thread_count
from ._picture import Pictures
from ._points import SignQuestions
from ._progress import Progress, reporter
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
)


class Bvh(RayQuestions[Hits, HitLists], SignQuestions, HitDetails, Pictures):
    """A tree over a mesh, which answers questions about rays and points exactly.

    ``quality`` is ``"fast"``, ``"balanced"`` or ``"best"``: how much work goes into the tree, for the
    speed of its queries. ``threads`` is the number of threads for the build and, unless a call says
    otherwise, for queries, at most 1024; all processors by default. Any number of threads may ask the same tree.
    ``groups`` has 32 bits for each triangle, an integer: a ray sees those that share a bit with its ``mask``.

    Rays, points and answers are in the coordinates of the world. For a mesh with an origin, these are ``float64``s,
    and rays and points are not rounded; but planes of sections are, and points for rules other than ``"parity"``,
    relative to the origin.

    >>> import estoc
    >>> corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    >>> bvh = estoc.Bvh(estoc.Mesh(corners, [[0, 1, 2], [0, 2, 3]]))
    >>> hits = bvh.closest_hit([[0.5, 0.25, 3, 0, 0, -1], [5, 5, 3, 0, 0, -1]])
    >>> hits.prim, hits.t
    (array([ 0, -1]), array([ 3., inf], dtype=float32))
    """

    __slots__ = ("_core", "_has_origin", "_mesh", "__weakref__")
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
        self._mesh, self._has_origin = mesh, mesh.has_origin
        self._threads = threads

    @classmethod
    def _of(cls, core: _estoc.Bvh, mesh: _estoc.Mesh, threads: Optional[int]) -> Bvh:
        bvh = cls.__new__(cls)
        bvh._core, bvh._mesh, bvh._threads = core, Mesh._of(mesh), threads
        bvh._has_origin = bvh._mesh.has_origin
        return bvh

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
        if not self._has_origin:
            return points
        found = _arrays.as_numbers("points", points)
        found = np.array(found, np.float64)
        found[..., :3] -= self._mesh.origin
        return found

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
        ``ValueError`` if the origins of the meshes differ.

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
        in_world = self._mesh._in_world(np.array(points, np.float32))
        return LeastDistance(distance, np.array(prims, np.int64), np.array(parts, np.uint8), in_world)

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
        does not intersect it. Raises ``ValueError`` if the origins of the meshes differ.

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
        ``float64`` is rounded to the nearest ``float32``. Raises :class:`~estoc.QueryError` for a plane with a
        number that is not finite, or without a normal.

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
        return _estoc.paint_mesh(self._mesh._core, self._core, other, self._mesh._seen(arguments))

    def __len__(self) -> int:
        return self._core.face_count()

    def __repr__(self) -> str:
        triangles = counted(self._core.face_count(), "triangle", "triangles")
        quality = self.quality
        built = "" if quality is None else f", {quality}"
        return f"<estoc.Bvh: {triangles}{built}, {self.nbytes:,} bytes>"

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
