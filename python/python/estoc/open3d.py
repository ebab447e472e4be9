"""estoc under Open3D's names.

:class:`RaycastingScene` has the methods of ``open3d.t.geometry.RaycastingScene``, and takes arrays of numpy
or tensors, also of Open3D, which need not be installed. Answers are what the question is: tensors of Open3D for
tensors of Open3D, arrays of numpy for all else; ``tensors=True`` makes all answers of a scene tensors, and
``tensors=False`` none.

>>> import estoc.open3d, numpy as np
>>> scene = estoc.open3d.RaycastingScene()
>>> scene.add_triangles(np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.uint32([[0, 1, 2]]))
0
>>> answers = scene.cast_rays(np.float32([[0.25, 0.25, 1, 0, 0, -1]]))
>>> answers["t_hit"], answers["geometry_ids"]
(array([1.], dtype=float32), array([0], dtype=uint32))
>>> scene
<estoc.open3d.RaycastingScene: 1 mesh, 1 triangle>

:func:`install` puts the class in the place of Open3D's, for scripts that run unchanged. All their answers are tensors,
as Open3D's are, also those about arrays of numpy.

What differs: every answer is exact, so ``count_intersections`` and ``list_intersections`` have one entry at
an edge that triangles share, wherever the rounding falls, and none where a ray only grazes the surface;
``list_intersections`` has the hits of a ray in order;
``compute_closest_points`` names the triangle with the lowest number of those that share the closest edge or
vertex; ``nsamples`` has no effect, as one exact count decides. A scene that is not closed has no inside:
there, the parity of the crossings in the direction +x decides. Other types than ``float32`` and ``uint32`` are
taken too, and ``float64`` is rounded to ``float32``, but for a scene with an origin. Where Open3D raises
``RuntimeError``, it is ``TypeError`` or ``ValueError`` here.
"""

from __future__ import annotations

import inspect
import sys
from functools import partial
from typing import Any, Callable, Optional, TypedDict

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._bvh import Bvh
from ._convert import from_open3d
from ._merge import merged
from ._mesh import Mesh, Origin, _frame, counted
from ._normals import Normals
from ._options import MOST_THREADS, Quality, flag, real, shown, whole

__all__ = ["ClosestPoints", "FirstHits", "Intersections", "RaycastingScene", "install", "uninstall"]


class FirstHits(TypedDict):
    """The first hit of each ray: arrays or tensors of the shape of the rays without their last axis."""

    t_hit: Any
    """``float32``, in units of the direction's length; ``inf`` for a miss."""
    geometry_ids: Any
    """``uint32``; ``INVALID_ID`` for a miss."""
    primitive_ids: Any
    """``uint32``: the number of the triangle in its mesh; ``INVALID_ID`` for a miss."""
    primitive_uvs: Any
    """``float32``, with a last axis of 2: the weights of the triangle's second and third vertices."""
    primitive_normals: Any
    """``float32``, with a last axis of 3: the unit normal of the triangle; 0 for a miss."""


class Intersections(TypedDict):
    """The crossings of all rays, ray by ray: those of ray ``i`` are at ``ray_splits[i]:ray_splits[i + 1]``."""

    ray_splits: Any
    ray_ids: Any
    t_hit: Any
    geometry_ids: Any
    primitive_ids: Any
    primitive_uvs: Any


class ClosestPoints(TypedDict):
    """The closest point to each point, with what :class:`FirstHits` has of its triangle."""

    points: Any
    """``float32``; ``float64`` in a scene with an origin."""
    geometry_ids: Any
    primitive_ids: Any
    primitive_uvs: Any
    primitive_normals: Any


class _Built:
    """All meshes of a scene as one, and their tree."""

    def __init__(self, meshes: list[Mesh], quality: Quality, nthreads: int) -> None:
        self.count = len(meshes)
        mesh = meshes[0] if len(meshes) == 1 else merged(meshes)
        self.bvh = Bvh(mesh, quality=quality, threads=nthreads or None)
        # As in Open3D, the threads of the scene are those of the build.
        self.bvh._threads = None
        self.normals = Normals(mesh)
        self._is_closed: Optional[bool] = None
        # The ids by the number of the triangle; the last are those of a miss, whose number is -1.
        if len(meshes) > 1:
            sizes, missed = [len(mesh) for mesh in meshes], np.array([RaycastingScene.INVALID_ID], np.uint32)
            ids = (np.arange(size, dtype=np.uint32) for size in sizes)
            self._primitive_ids = np.concatenate([*ids, missed])
            self._geometry_ids = np.append(np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes), missed)

    def inside(self, points: npt.NDArray[Any], threads: Optional[int]) -> npt.NDArray[np.bool_]:
        """Returns whether each point is inside."""
        if self.is_closed:
            return self.bvh.contains(points, threads=threads)
        counts = self.bvh.count_crossings(points, np.array([1, 0, 0], np.float32), threads=threads)
        return np.asarray(counts & 1, dtype=np.bool_)

    @property
    def is_closed(self) -> bool:
        """Whether the scene has an inside, which is found out on the first use."""
        if self._is_closed is None:
            self._is_closed = self.bvh.is_closed
        return self._is_closed

    def ids(self, prim: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Returns the ids of geometries and of their triangles."""
        if self.count > 1:
            return self._geometry_ids.take(prim, mode="wrap"), self._primitive_ids.take(prim, mode="wrap")
        # As unsigned numbers of 32 bits, -1 is INVALID_ID.
        return np.minimum(prim, 0).astype(np.uint32), prim.astype(np.uint32)


class RaycastingScene:
    """Triangle meshes under Open3D's names.

    ``nthreads`` is the number of threads that build the tree, and in a question of those that answer it; 0 stands for
    all processors. ``device`` must be the processor, such as ``"CPU:0"``. ``add_triangles`` may be called at any time;
    the next question builds a tree over all meshes. ``quality="best"`` builds longer, for faster rays.

    ``origin``, a point or ``"auto"``, is for ``float64`` coordinates such as those of maps, as for
    :class:`estoc.Mesh`: vertices are rounded to ``float32`` after it is subtracted; rays, points and answers have
    the coordinates of the vertices. ``"auto"`` chooses one for the first mesh that has triangles, which is that of all.
    """

    INVALID_ID = 0xFFFF_FFFF
    """The id of a geometry or triangle where there is none."""

    #: Whether answers are tensors; None if they are for tensors.
    _tensors: Optional[bool] = None

    def __init__(
        self,
        nthreads: int = 0,
        device: Any = "CPU:0",
        *,
        tensors: Optional[bool] = None,
        quality: Quality = "balanced",
        origin: Origin = None,
    ) -> None:
        _check_device(device)
        self._quality = quality
        self._nthreads = _check_threads(nthreads)
        if tensors is not None:
            self._tensors = flag("tensors", tensors)
            self.create_rays_pinhole = partial(  # type: ignore[method-assign]
                self.create_rays_pinhole, tensors=tensors
            )
        if self._tensors:
            import open3d  # noqa: F401  Now, and not at the first answer, if it is missing.
        at, is_auto = _frame(origin)
        self._origin: Origin = "auto" if is_auto else at
        self._meshes: list[Mesh] = []
        self._newest: Optional[_Built] = None

    def add_triangles(
        self,
        vertex_positions: Optional[Any] = None,
        triangle_indices: Optional[Any] = None,
        *,
        mesh: Optional[Any] = None,
    ) -> int:
        """Adds vertices of the shape (V, 3) and indices of the shape (F, 3), or a mesh of Open3D or estoc, and
        returns its geometry id."""
        if mesh is not None and (vertex_positions is not None or triangle_indices is not None):
            raise TypeError("add_triangles wants a mesh, or vertex_positions and triangle_indices, not both")
        if triangle_indices is None:
            found = self._mesh_of(vertex_positions if mesh is None else mesh)
        else:
            vertices = _table("vertex_positions", vertex_positions, "(V, 3)", _arrays.as_numbers)
            indices = _table("triangle_indices", triangle_indices, "(F, 3)", _arrays.as_integers)
            found = Mesh(vertices, indices, origin=self._origin)
        if len(found) and (
            isinstance(self._origin, str)
            or (self._origin is None and found.origin.any() and not any(map(len, self._meshes)))
        ):
            self._origin = found.origin.tolist()
        wanted = [0.0, 0.0, 0.0] if self._origin is None else self._origin
        if len(found) and found.origin.tolist() != wanted:
            raise ValueError(f"mesh has its origin at {found.origin.tolist()}, and the scene at {wanted}; they must be "
                             "the same")
        if found.dtype == np.float64:
            raise ValueError("mesh is in float64, and answers are in float32; make it with dtype=numpy.float32")
        self._meshes.append(found)
        return len(self._meshes) - 1

    def _mesh_of(self, mesh: Any) -> Mesh:
        if isinstance(mesh, Mesh):
            return mesh
        # What has faces is of another library, such as trimesh, whose meshes have triangles too.
        if not hasattr(mesh, "faces") and (hasattr(mesh, "triangle") or hasattr(mesh, "triangles")):
            return from_open3d(mesh, origin=self._origin)
        wanted = "wanted is a mesh of Open3D or estoc, or vertex_positions and triangle_indices"
        if hasattr(mesh, "__dlpack__") or isinstance(mesh, (list, tuple)):
            raise TypeError(f"triangle_indices is None, and vertex_positions no mesh; {wanted}")
        hint = ": mesh.vertices and mesh.faces" if hasattr(mesh, "faces") else ""
        raise TypeError(f"mesh is {'None' if mesh is None else f'a {type(mesh).__name__}'}; {wanted}{hint}")

    def _built(self) -> _Built:
        newest = self._newest
        # Meshes are only ever added: their number tells whether the tree is of all. Another thread has all of the
        # newest or nothing.
        if newest is None or newest.count != len(self._meshes):
            newest = _Built(self._meshes[:], self._quality, self._nthreads)
            self._newest = newest
        return newest

    def cast_rays(self, rays: Any, nthreads: int = 0) -> FirstHits:
        """Returns the first hit of each ray; rays have the shape (..., 6)."""
        found, threads, built = _rows("rays", rays, 6), _threads(nthreads), self._built()
        shape = found.shape[:-1]
        t, prim = np.empty(shape, np.float32), np.empty(shape, np.int64)
        uvs = np.empty(shape + (2,), np.float32)
        u, v = uvs.reshape(-1, 2).T
        given = built.bvh._rays(found, None, threads=threads)
        answers = {"t": t, "prim": prim, "u": u, "v": v}
        given.ask(built.bvh._core, "closest_hit", (*given.arguments, None), answers)
        (geometry, primitive), out = built.ids(prim), self._out(rays)
        return {
            "t_hit": out(t),
            "geometry_ids": out(geometry),
            "primitive_ids": out(primitive),
            "primitive_uvs": out(uvs),
            "primitive_normals": out(built.normals.at(prim)),
        }

    def test_occlusions(
        self, rays: Any, tnear: float = 0.0, tfar: float = np.inf, nthreads: int = 0
    ) -> Any:
        """Returns whether each ray hits anything between ``tnear`` and ``tfar``."""
        found, t_min, t_max = _rows("rays", rays, 6), real("tnear", tnear), real("tfar", tfar)
        hits = self._built().bvh.any_hit(found, t_min=t_min, t_max=t_max, threads=_threads(nthreads))
        return self._out(rays)(hits)

    def count_intersections(self, rays: Any, nthreads: int = 0) -> Any:
        """Returns how often each ray crosses a surface, as ``int32``."""
        counts = self._built().bvh.count_crossings(_rows("rays", rays, 6), threads=_threads(nthreads))
        return self._out(rays)(counts.astype(np.int32))

    def list_intersections(self, rays: Any, nthreads: int = 0) -> Intersections:
        """Returns the crossings of surfaces, ray by ray in order."""
        built = self._built()
        hits = built.bvh.crossings(_rows("rays", rays, 6), threads=_threads(nthreads))
        (geometry, primitive), out = built.ids(hits.prim), self._out(rays)
        return {
            "ray_splits": out(hits.offsets.astype(np.uint32)),
            "ray_ids": out(hits.ray.astype(np.uint32)),
            "t_hit": out(hits.t),
            "geometry_ids": out(geometry),
            "primitive_ids": out(primitive),
            "primitive_uvs": out(np.stack([hits.u, hits.v], axis=-1)),
        }

    def compute_closest_points(self, query_points: Any, nthreads: int = 0) -> ClosestPoints:
        """Returns the closest point of the surfaces to each point; points have the shape (..., 3)."""
        built = self._built()
        found = built.bvh.closest_point(_rows("query_points", query_points, 3), threads=_threads(nthreads))
        (geometry, primitive), out = built.ids(found.prim), self._out(query_points)
        return {
            "points": out(found.point),
            "geometry_ids": out(geometry),
            "primitive_ids": out(primitive),
            "primitive_uvs": out(np.stack([found.u, found.v], axis=-1)),
            "primitive_normals": out(built.normals.at(found.prim)),
        }

    def compute_distance(self, query_points: Any, nthreads: int = 0) -> Any:
        """Returns the distance of each point from the surfaces."""
        found = _rows("query_points", query_points, 3)
        return self._out(query_points)(self._built().bvh.distance(found, threads=_threads(nthreads)))

    def compute_signed_distance(self, query_points: Any, nthreads: int = 0, nsamples: int = 1) -> Any:
        """Returns the distance of each point from the surfaces, negative inside."""
        _check_samples(nsamples)
        found, threads, built = _rows("query_points", query_points, 3), _threads(nthreads), self._built()
        if built.is_closed:
            distance = built.bvh.signed_distance(found, threads=threads)
        else:
            distance = built.bvh.distance(found, threads=threads)
            np.negative(distance, out=distance, where=built.inside(found, threads) & (distance > 0))
        return self._out(query_points)(distance)

    def compute_occupancy(self, query_points: Any, nthreads: int = 0, nsamples: int = 1) -> Any:
        """Returns 1 for each point that is inside, 0 for others, as ``float32``."""
        _check_samples(nsamples)
        found, threads = _rows("query_points", query_points, 3), _threads(nthreads)
        return self._out(query_points)(self._built().inside(found, threads).astype(np.float32))

    @classmethod
    def create_rays_pinhole(cls, *args: Any, tensors: Optional[bool] = None, **kwargs: Any) -> Any:
        """Returns the rays of a pinhole camera, of the shape (height_px, width_px, 6):
        ``create_rays_pinhole(intrinsic_matrix, extrinsic_matrix, width_px, height_px)``, or
        ``create_rays_pinhole(fov_deg, center, eye, up, width_px, height_px)``.

        They are a tensor of Open3D where answers are: after :func:`install`, of a scene with ``tensors=True``, or if
        an argument is one. Else they are an array of numpy.

        >>> import estoc.open3d
        >>> rays = estoc.open3d.RaycastingScene.create_rays_pinhole(
        ...     fov_deg=90, center=[0, 0, 0], eye=[0, 0, 3], up=[0, 1, 0], width_px=3, height_px=2)
        >>> rays.shape, rays[0, 1].tolist()
        ((2, 3, 6), [0.0, 0.0, 3.0, 0.0, -0.3333333432674408, -1.0])
        """
        is_matrices = len(args) + len(kwargs) == 4 or "intrinsic_matrix" in kwargs
        camera: Callable[..., npt.NDArray[np.float32]] = _from_matrices if is_matrices else _from_view
        try:
            inspect.signature(camera).bind(*args, **kwargs)
        except TypeError as error:
            wanted = " or ".join(f"({', '.join(inspect.signature(kind).parameters)})" for kind in _CAMERAS)
            raise TypeError(f"create_rays_pinhole: {error}; wanted are {wanted}") from None
        rays = camera(*args, **kwargs)
        if tensors is None:
            tensors = cls._tensors
        if tensors is None:
            tensors = any(map(_is_tensor, (*args, *kwargs.values())))
        return _tensor(rays) if tensors else rays

    def _out(self, given: Any) -> Callable[[npt.NDArray[Any]], Any]:
        """Returns what makes answers of arrays: what was given decides which."""
        tensors = _is_tensor(given) if self._tensors is None else self._tensors
        return _tensor if tensors else np.asarray

    def __repr__(self) -> str:
        meshes = counted(len(self._meshes), "mesh", "meshes")
        triangles = counted(sum(map(len, self._meshes)), "triangle", "triangles")
        return f"<estoc.open3d.RaycastingScene: {meshes}, {triangles}>"


class _Installed(RaycastingScene):
    """What scripts find in the place of Open3D's class: all answers are tensors."""

    _tensors = True


#: The class of Open3D while ours is in its place.
_replaced: list[Any] = []


def install() -> None:
    """Makes ``open3d.t.geometry.RaycastingScene`` a subclass of :class:`RaycastingScene`, with the same arguments,
    whose answers are tensors, also those about arrays of numpy, and the rays of ``create_rays_pinhole``. Scenes that
    there are already, names imported from Open3D before, and what Open3D asks in C++ stay as they are."""
    import open3d

    if not _replaced:
        _replaced.append(open3d.t.geometry.RaycastingScene)
    setattr(open3d.t.geometry, "RaycastingScene", _Installed)


def uninstall() -> None:
    """Undoes :func:`install` for scenes that are created from now on."""
    if _replaced:
        import open3d

        setattr(open3d.t.geometry, "RaycastingScene", _replaced.pop())


def _from_matrices(
    intrinsic_matrix: Any, extrinsic_matrix: Any, width_px: int, height_px: int
) -> npt.NDArray[np.float32]:
    inner = np.asarray(_arrays.as_numbers("intrinsic_matrix", intrinsic_matrix), np.float64)
    outer = np.asarray(_arrays.as_numbers("extrinsic_matrix", extrinsic_matrix), np.float64)
    for name, matrix, shape in (
        ("intrinsic_matrix", inner, (3, 3)),
        ("extrinsic_matrix", outer, (4, 4)),
    ):
        if matrix.shape != shape:
            raise ValueError(f"{name} has the shape {matrix.shape}; wanted is {shape}")
    width, height = _pixels("width_px", width_px), _pixels("height_px", height_px)
    turn = outer[:3, :3].T
    try:
        inverse = np.linalg.inv(inner)
    except np.linalg.LinAlgError:
        raise ValueError(f"intrinsic_matrix is {inner.tolist()}; it must have an inverse") from None
    right, down, ahead = (turn @ inverse).T
    rays = np.empty((height, width, 6), np.float32)
    rays[..., :3] = -turn @ outer[:3, 3]
    rows = (np.arange(height) + 0.5)[:, np.newaxis] * down + ahead
    rays[..., 3:] = rows[:, np.newaxis] + (np.arange(width) + 0.5)[:, np.newaxis] * right
    return rays


def _from_view(
    fov_deg: float, center: Any, eye: Any, up: Any, width_px: int, height_px: int
) -> npt.NDArray[np.float32]:
    target, origin, above = (
        np.array(_arrays.point(name, value)) for name, value in (("center", center), ("eye", eye), ("up", up))
    )
    width, height = _pixels("width_px", width_px), _pixels("height_px", height_px)
    angle = real("fov_deg", fov_deg)
    if not 0 < angle < 180:
        raise ValueError(f"fov_deg is {shown(fov_deg)}; it must be greater than 0 and less than 180")
    focal = width / 2 / np.tan(np.deg2rad(angle) / 2)
    # Open3D's images have the camera's up at the bottom.
    right = np.cross(above, target - origin)
    if not right.any():
        raise ValueError(
            f"center is {target.tolist()}, seen from eye {origin.tolist()}; up, {above.tolist()}, must not be in "
            "line with them"
        )
    forward = (target - origin) / np.linalg.norm(target - origin)
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(forward, right), forward])
    outer = np.eye(4)
    outer[:3, :3] = turn
    outer[:3, 3] = -turn @ origin
    inner = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    return _from_matrices(inner, outer, width, height)


_CAMERAS: tuple[Callable[..., Any], ...] = (_from_matrices, _from_view)


def _pixels(name: str, value: Any) -> int:
    wanted = "a whole number, at least 0"
    number = whole(name, value, wanted)
    if number < 0:
        raise ValueError(f"{name} is {number}; it must be {wanted}")
    return number


def _rows(name: str, array: Any, width: int) -> npt.NDArray[Any]:
    """Returns rays or points."""
    wanted = "(..., 3)" if width == 3 else "(..., 6), where a row is ox, oy, oz, dx, dy, dz"
    if array is None:
        raise TypeError(f"{name} is None; wanted is an array or tensor of the shape {wanted}")
    found = _arrays.as_numbers(name, _memory(array))
    _arrays.check_columns(name, found, (width,), wanted)
    return found


def _table(
    name: str, array: Any, wanted: str, read: Callable[[str, Any], npt.NDArray[Any]]
) -> npt.NDArray[Any]:
    """Returns the rows of a mesh; ``[]`` are none."""
    if array is None:
        raise TypeError(f"{name} is None; wanted is an array or tensor of the shape {wanted}")
    found = read(name, _memory(array))
    if found.shape == (0,):
        return found.reshape(0, 3)
    if found.ndim != 2 or found.shape[1] != 3:
        corners = ", not the corners of each triangle" if found.shape[1:] == (3, 3) else ""
        raise ValueError(f"{name} has the shape {found.shape}; wanted is {wanted}{corners}")
    return found


def _is_tensor(value: Any) -> bool:
    """Returns whether a value is a tensor of Open3D, which is imported then."""
    core = getattr(sys.modules.get("open3d"), "core", None)
    return core is not None and isinstance(value, core.Tensor)


def _memory(value: Any) -> Any:
    """Returns a tensor of Open3D as an array of its memory, which its own method makes 10 times as fast as DLPack
    does; other values, and tensors on another device, as they are."""
    if not _is_tensor(value) or str(value.device) != "CPU:0":
        return value
    return value.numpy()


def _tensor(array: npt.NDArray[Any]) -> Any:
    """Returns a tensor with the memory of an array."""
    import open3d

    return open3d.core.Tensor.from_numpy(np.asarray(array))


def _check_device(device: Any) -> None:
    wanted = 'the processor, such as "CPU:0"'
    if str(device).upper() in ("CPU", "CPU:0"):
        return
    is_device = isinstance(device, str) or hasattr(device, "get_type")
    raise (ValueError if is_device else TypeError)(f"device is {shown(device)}; it must be {wanted}")


def _check_samples(nsamples: int) -> None:
    wanted = "odd and positive"
    number = whole("nsamples", nsamples, wanted)
    if number < 1 or number % 2 == 0:
        raise ValueError(f"nsamples is {number}; it must be {wanted}")


def _check_threads(nthreads: int) -> int:
    wanted = f"a whole number from 1 to {MOST_THREADS}, or 0 for all processors"
    number = whole("nthreads", nthreads, wanted)
    if not 0 <= number <= MOST_THREADS:
        raise ValueError(f"nthreads is {number}; it must be {wanted}")
    return number


def _threads(nthreads: int) -> Optional[int]:
    return _check_threads(nthreads) or None
