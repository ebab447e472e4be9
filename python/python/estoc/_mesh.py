"""Meshes."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any, ClassVar, Literal, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _estoc
from ._arrays import ArrayLike, as_integers, as_numbers, check_columns, columns, point
from ._errors import MeshError
from ._options import BadFaces, PathLike, RealType, choice, file_path, is_float64, real, shown, thread_count
from ._picture import Pictures
from ._progress import Progress, reporter
from ._results import Coordinates

#: A point, ``"auto"``, or ``None`` for no local frame.
Origin = Union[None, str, ArrayLike]

#: The packages between the line of a caller and a mesh.
_BETWEEN = ("estoc", "trimesh", "pyvista", "open3d", "meshio")


class Mesh(Pictures):
    """Triangles over shared vertices; immutable.

    ``vertices`` is an array of the shape (V, 3); ``float64`` is rounded to the nearest ``float32``, with a
    warning where that moves a vertex by more than 1/4096 of the median edge or makes vertices of a triangle one.
    ``faces`` is an array of the shape (F, 3) of indices of vertices, of any type of integer. Both are
    copied once. With ``bad_faces="skip"``, triangles with an index out of range, or with a vertex that
    is not finite, are left out and not numbered; else they raise :class:`~estoc.MeshError`.

    With ``origin``, a point or ``"auto"``, coordinates are rounded to ``float32`` after the origin is
    subtracted exactly, for ``float64`` coordinates such as those of maps. Vertices, bounds, rays, points and answers
    are coordinates of the world all the same, in ``float64``; :attr:`local_vertices` are relative to the origin.

    >>> import estoc
    >>> far = estoc.Mesh([[5e6, 0, 0], [5e6 + 1.125, 0, 0], [5e6, 1, 0]], [[0, 1, 2]], origin=[5e6, 0, 0])
    >>> far.vertices[1].tolist(), far.local_vertices[1].tolist()
    ([5000001.125, 0.0, 0.0], [1.125, 0.0, 0.0])
    >>> estoc.Bvh(far).closest_hit([[5e6 + 0.25, 0.25, 9, 0, 0, -1]]).t
    array([9.], dtype=float32)

    With ``dtype=numpy.float64``, nothing is rounded: the mesh keeps ``float64`` vertices, rays and points are taken in
    ``float64``, and answers are exact for these numbers, each the nearest ``float64``. First hits take up to 1.6 times as
    long as in ``float32``, closest points up to 1.4 times. Normals of vertices, welds and the shade
    ``"heat"`` are for ``float32`` only so far, and raise.

    >>> import estoc, numpy as np
    >>> house = np.array([[5e6, 0, 0], [5e6, 0.1, 0], [5e6, 0, 0.1]])
    >>> wall = estoc.Bvh(estoc.Mesh(house, [[0, 1, 2]], dtype=np.float64))
    >>> wall.distance([5e6 + 0.125, 0.01, 0.01])
    array(0.125)

    >>> import estoc
    >>> mesh = estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> mesh
    <estoc.Mesh: 1 triangle, 3 vertices>
    >>> estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 3]])
    Traceback (most recent call last):
        ...
    estoc.MeshError: face 0: vertex index 3 is out of range ...
    """

    __slots__ = ("_core", "_vertices", "_faces", "_origin", "has_origin", "__weakref__")

    has_origin: bool
    """Whether the origin is elsewhere than at 0."""
    _advice: ClassVar[Optional[str]] = None
    """What to do about coarse rounding, where it is not to choose an origin."""
    _core: _estoc.Mesh
    _vertices: Optional[Coordinates]
    _faces: Optional[npt.NDArray[np.uint32]]

    def __init__(
        self,
        vertices: ArrayLike,
        faces: Optional[ArrayLike] = None,
        *,
        bad_faces: BadFaces = "reject",
        origin: Origin = None,
        dtype: RealType = np.float32,
    ) -> None:
        if faces is None:
            raise TypeError(_no_faces(vertices))
        is_wide = _is_wide(is_float64(dtype), origin)
        points = as_numbers("vertices", vertices)
        if points.size == 0 and points.ndim == 1:
            points = points.reshape(0, 3)
        indices = as_integers("faces", faces)
        if indices.size == 0 and indices.ndim == 1:
            indices = indices.reshape(0, 3)
        for name, array in (("vertices", points), ("faces", indices)):
            if array.ndim != 2:
                raise ValueError(f"{name} has the shape {array.shape}; wanted is (..., 3), two axes")
            check_columns(name, array, (3,), "(N, 3)")
        try:
            self._core = _estoc.Mesh(points, indices, _skips(bad_faces), *_frame(origin), is_wide)
        except MeshError:
            if origin is None and not is_wide:
                _check_range(points)
            raise
        self._begin()
        self._warn_of_rounding(points, origin)

    @classmethod
    def _of(cls, core: _estoc.Mesh) -> Mesh:
        mesh = cls.__new__(cls)
        mesh._core = core
        mesh._begin()
        return mesh

    def _begin(self) -> None:
        self._vertices = self._faces = None
        self._origin = np.array(self._core.origin())
        self._origin.flags.writeable = False
        self.has_origin = bool(self._origin.any())

    def _warn_of_rounding(self, points: npt.NDArray[Any], origin: Origin) -> None:
        """Warns if rounding to ``float32`` is coarse for the mesh, or made vertices of a triangle one."""
        moved, median, flat = self._core.rounding()
        merged = 0
        if len(flat):
            near, given = self.local_vertices[flat], points[flat]
            # Each corner beside the one before it.
            is_near, is_given = ((of == np.roll(of, 1, axis=1)).all(axis=-1) for of in (near, given))
            merged = int((is_near & ~is_given).any(axis=1).sum())
        if moved <= median / 4096 and merged == 0:
            return
        made = f", and made vertices of {counted(merged, 'triangle', 'triangles')} one" if merged else ""
        advice = self._advice
        if advice is None and origin is None:
            advice = 'origin="auto" keeps more digits of coordinates far from 0, and dtype=numpy.float64 all of them'
        elif advice is None and isinstance(origin, str):
            advice = "the mesh is too large for triangles as small: dtype=numpy.float64, or parts with origins of their " \
                "own, keep more digits"
        elif advice is None:
            advice = 'a nearer origin, such as origin="auto", keeps more digits'
        warnings.warn(
            f"rounding to float32 moved a vertex by {moved:.3g} (the median edge is {median:.3g}){made}; {advice}",
            stacklevel=_outside(),
        )

    @classmethod
    def load(
        cls,
        path: PathLike,
        *,
        bad_faces: BadFaces = "reject",
        origin: Origin = None,
        weld: Union[None, str, float] = None,
        dtype: Union[RealType, Literal["auto"]] = "auto",
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> Mesh:
        """Loads a file: OBJ, PLY, STL, OFF or glTF, also packed by gzip or zstd.

        ``bad_faces``, ``origin`` and ``dtype`` are as for the class, but by default, ``"auto"``, the mesh is in
        ``float64`` if rounding to ``float32`` would make corners one that differ, or move one by more than 1/4096 of the
        median edge, and neither ``origin`` nor ``weld`` is given. Decimals become the nearest number of the type.

        With ``weld``, a distance or ``"auto"``, corners of triangles that are at most so far apart are
        joined, for seams that are open by the noise of the program that wrote them; ``"auto"`` takes the
        least distance that closes the mesh, up to a millionth of its size. Chains of such distances
        connect, and each cluster becomes its least position. :attr:`warnings` tells what moved.

        Raises :class:`~estoc.MeshError` with the line of the file, and :class:`~estoc.FileError` if
        the file cannot be read.
        """
        is_auto = isinstance(dtype, str) and dtype == "auto"
        is_wide = None if is_auto else _is_wide(is_float64(dtype, ' or "auto"'), origin)
        with reporter(progress, "load") as report:
            core = _estoc.Mesh.load(
                file_path("path", path),
                _skips(bad_faces),
                (is_wide, *_frame(origin)),
                _weld(weld),
                thread_count(threads),
                report,
            )
        return cls._of(core)

    @property
    def vertices(self) -> Coordinates:
        """The vertices, read-only, of the shape (V, 3); in ``float64`` for a mesh in ``float64`` or with an origin."""
        return _read_only(self._in_world(self.local_vertices)) if self.has_origin else self.local_vertices

    @property
    def dtype(self) -> np.dtype[np.floating[Any]]:
        """The type of the coordinates that the mesh keeps: ``float32`` or ``float64``."""
        return np.dtype(np.float64 if self._core.is_f64() else np.float32)

    @property
    def local_vertices(self) -> Coordinates:
        """The vertices relative to the origin, read-only, of the shape (V, 3)."""
        if self._vertices is None:
            self._vertices = _read_only(self._core.vertices())
        return self._vertices

    @property
    def faces(self) -> npt.NDArray[np.uint32]:
        """The vertex indices of each triangle, read-only, of the shape (F, 3)."""
        if self._faces is None:
            self._faces = _read_only(self._core.faces())
        return self._faces

    @property
    def bounds(self) -> Optional[Coordinates]:
        """The least and the greatest corner of the smallest box around all triangles; ``None`` without
        triangles."""
        corners = self._core.bounds()
        return None if corners is None else self._in_world(np.array(corners, self.dtype))

    @property
    def origin(self) -> npt.NDArray[np.float64]:
        """The origin in the world, whose coordinates are those of the file or array; 0 unless the mesh was made with
        one."""
        return self._origin

    def to_world(self, points: ArrayLike) -> npt.NDArray[np.float64]:
        """Returns points that are relative to the origin in the world: their sum with it, the nearest ``float64``.

        >>> import estoc
        >>> mesh = estoc.Mesh([[5e6, 0, 0], [5e6 + 1, 0, 0], [5e6, 1, 0]], [[0, 1, 2]], origin=[5e6, 0, 0])
        >>> mesh.to_world([0.25, 0, 0]).tolist(), mesh.from_world([5e6 + 0.25, 0, 0]).tolist()
        ([5000000.25, 0.0, 0.0], [0.25, 0.0, 0.0])
        """
        return np.asarray(columns("points", points).astype(np.float64) + self._origin)

    def from_world(self, points: ArrayLike) -> Coordinates:
        """Returns points of the world relative to the origin: their difference from it, the nearest number of the type
        of the mesh."""
        found = columns("points", points)
        if self.dtype == np.float64:
            return found.astype(np.float64)
        return self._core.relative(found).reshape(found.shape)

    def _in_world(self, local: Coordinates) -> Coordinates:
        return self.to_world(local) if self.has_origin else local

    @property
    def warnings(self) -> list[str]:
        """What was noticed about the file, a sentence each."""
        return self._core.warnings()

    def welded(self, distance: Union[str, float] = "auto") -> Mesh:
        """Returns the mesh with corners of triangles joined that are at most so far apart; see ``weld`` of
        :meth:`load`. Raises :class:`~estoc.MeshError` if no distance up to a millionth of the size closes it.

        >>> import estoc
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1e-9, 1]]
        >>> seam = estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 4], [0, 3, 2]])
        >>> estoc.Bvh(seam).is_closed, estoc.Bvh(seam.welded()).is_closed
        (False, True)
        """
        given, _ = _weld(distance)
        return Mesh._of(self._core.welded(given))

    def points_at(
        self, prim: ArrayLike, u: ArrayLike, v: ArrayLike
    ) -> npt.NDArray[np.float64]:
        """Returns the points of triangles with these weights of their second and third vertices, in the world,
        computed in ``float64``; NaN where ``prim`` is -1. Raises ``IndexError`` for other numbers than those
        of the triangles.

        >>> import estoc
        >>> mesh = estoc.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
        >>> mesh.points_at([0, -1], [0.25, 0], [0.5, 0])
        array([[ 1.,  2.,  0.],
               [nan, nan, nan]])
        """
        prims = self._prims(prim)
        weights = [as_numbers(n, w).astype(np.float64)[..., np.newaxis] for n, w in (("u", u), ("v", v))]
        points = np.full(prims.shape + (3,), np.nan)
        hit = prims >= 0
        corners = self.local_vertices[self.faces[prims[hit]]].astype(np.float64)
        first, second = (np.broadcast_to(w, prims.shape + (1,))[hit] for w in weights)
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        if self.dtype == np.float64:
            # Far from 0, edges have more digits than products with corners. Halved, they do not overflow.
            a, b, c = a / 2, b / 2, c / 2
            points[hit] = (a + ((b - a) * first + (c - a) * second)) * 2 + 0.0
        else:
            points[hit] = (a * (1 - first - second) + b * first + c * second) + self._origin
        return points

    def normals_at(self, prim: ArrayLike) -> npt.NDArray[np.float64]:
        """Returns the unit normals of triangles, computed in ``float64``; 0 where ``prim`` is -1 and for
        triangles without area."""
        prims = self._prims(prim)
        normals = np.zeros(prims.shape + (3,))
        hit = prims >= 0
        corners = self.local_vertices[self.faces[prims[hit]]].astype(np.float64)
        if self.dtype == np.float64:
            edges = corners[:, 1:] / 2 - corners[:, :1] / 2
            # Each is scaled to a length near 1, whose products neither overflow nor underflow.
            edges = np.ldexp(edges, -np.frexp(np.abs(edges).max(axis=-1, keepdims=True))[1])
            across = np.cross(edges[:, 0], edges[:, 1])
        else:
            across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.linalg.norm(across, axis=-1, keepdims=True)
        normals[hit] = np.divide(across, length, out=np.zeros_like(across), where=length > 0)
        return normals

    def vertex_normals(self) -> npt.NDArray[np.float32]:
        """Returns a unit normal for each vertex, of the shape (V, 3): the mean of the normals of its triangles,
        weighted by their angles there; 0 for a vertex that no triangle with area uses, and where they
        cancel. Vertices of equal position that triangles do not share have normals of their own.

        >>> import estoc
        >>> roof = estoc.Mesh([[0, 1, 0], [-1, 0, 0], [1, 0, 0], [0, 0, 2]], [[0, 1, 3], [0, 3, 2]])
        >>> (1000 * roof.vertex_normals()[0]).round().tolist()
        [0.0, 894.0, 447.0]
        """
        return self._core.vertex_normals()

    def _prims(self, prim: ArrayLike) -> npt.NDArray[Any]:
        """Returns numbers of triangles, or -1."""
        found = as_integers("prim", prim)
        wrong = (found < -1) | (found >= len(self))
        if wrong.any():
            number = int(found[wrong].flat[0])
            triangles = counted(len(self), "triangle", "triangles")
            raise IndexError(f"prim has the number {number}; the mesh has {triangles}, counted from 0")
        return found

    def _paint(self, to: Optional[Any], arguments: tuple[Any, ...]) -> npt.NDArray[np.uint8]:
        from ._bvh import Bvh

        *_, threads, _ = arguments
        return Bvh(self, threads=threads or None)._paint(to, arguments)

    def __len__(self) -> int:
        return self._core.face_count()

    def __repr__(self) -> str:
        triangles = counted(self._core.face_count(), "triangle", "triangles")
        vertices = counted(self._core.vertex_count(), "vertex", "vertices")
        wide = ", float64" if self.dtype == np.float64 else ""
        return f"<estoc.Mesh: {triangles}, {vertices}{wide}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.dtype == np.float64:
            return (_unpickled_in_float64, (self.vertices, self.faces))
        return (_unpickled, (self.local_vertices, self.faces, self.origin))


def made_by(thing: Any) -> str:
    """Returns the call that makes a mesh of a thing of another kind."""
    if isinstance(thing, (str, bytes, os.PathLike)):
        return "estoc.Mesh.load(path)"
    if hasattr(thing, "vertices") and hasattr(thing, "faces"):
        return "estoc.from_trimesh(mesh)"
    if hasattr(thing, "triangles") or hasattr(thing, "triangle"):
        return "estoc.from_open3d(mesh)"
    return "estoc.Mesh(vertices, faces) or estoc.Mesh.load(path)"


def _no_faces(vertices: Any) -> str:
    """Returns what to say to someone who gives no faces."""
    if isinstance(vertices, np.ndarray) and vertices.ndim == 3 and vertices.shape[1:] == (3, 3):
        return (
            f"vertices has the shape {vertices.shape}, that of the corners of triangles, and faces is missing: "
            "estoc.Mesh(corners.reshape(-1, 3), numpy.arange(3 * len(corners)).reshape(-1, 3))"
        )
    if vertices is None or isinstance(vertices, (np.ndarray, list, tuple)):
        return "faces is None; wanted is an array of the shape (F, 3) of indices of vertices"
    return f"vertices is {shown(vertices)}, and faces is missing; a mesh of it is made by {made_by(vertices)}"


def _check_range(points: npt.NDArray[Any]) -> None:
    """Refuses vertices that are finite, but not in ``float32``."""
    with np.errstate(over="ignore"):
        is_beyond = np.isfinite(points) & ~np.isfinite(points.astype(np.float32))
    if is_beyond.any():
        vertex = int(np.argmax(is_beyond.any(axis=1)))
        raise MeshError(
            f"vertices[{vertex}] is {points[vertex].tolist()}; coordinates must be at most 3.4e38, the range of "
            "float32: scale the mesh, or make it with dtype=numpy.float64"
        ) from None


def _outside() -> int:
    """Returns the ``stacklevel``, for the function that calls this, of the line that called this package, whether by
    itself or through a library whose names the package has."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in _BETWEEN:
        level, frame = level + 1, frame.f_back
    return level


def _unpickled(
    vertices: npt.NDArray[Any], faces: npt.NDArray[Any], origin: npt.NDArray[np.float64]
) -> Mesh:
    # The vertices are relative to the origin already; their sum may need more bits than float64 has.
    return Mesh._of(_estoc.Mesh.at_origin(vertices, faces, origin.tolist()))


def _unpickled_in_float64(vertices: npt.NDArray[np.float64], faces: npt.NDArray[Any]) -> Mesh:
    return Mesh(vertices, faces, dtype=np.float64)


def _is_wide(is_float64: bool, origin: Origin) -> bool:
    """Returns whether coordinates are kept in ``float64``, which no origin goes with."""
    if is_float64 and origin is not None:
        raise ValueError(
            "origin is for dtype=numpy.float32, whose digits it saves; in numpy.float64 nothing is rounded: leave out one "
            "of them"
        )
    return is_float64


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns the same memory as an array that cannot be made writable, as one that owns its memory can."""
    return np.asarray(array.data.toreadonly())


def _frame(origin: Origin) -> tuple[Optional[list[float]], bool]:
    """Returns the origin that is given, if any, and whether one is to be chosen."""
    if origin is None:
        return None, False
    if isinstance(origin, str):
        if origin != "auto":
            raise ValueError(f'origin is {shown(origin)}; it must be a point, "auto" or None')
        return None, True
    return point("origin", origin), False


def _weld(weld: Union[None, str, float]) -> tuple[Optional[float], bool]:
    """Returns the distance that is given, if any, and whether to weld."""
    if weld is None:
        return None, False
    if isinstance(weld, str):
        choice("weld", weld, ("auto",), "a distance or None")
        return None, True
    distance = real("weld", weld)
    if not 0 <= distance < float("inf"):
        raise ValueError(f"weld is {shown(weld)}; it must be finite and not negative")
    return distance, True


def _skips(bad_faces: BadFaces) -> bool:
    return choice("bad_faces", bad_faces, ("reject", "skip")) == "skip"


def counted(number: int, one: str, many: str) -> str:
    """Returns a number with its noun."""
    return f"{number:,} {one if number == 1 else many}"
