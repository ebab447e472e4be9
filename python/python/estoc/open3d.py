"""estoc under Open3D's names.

:class:`RaycastingScene` has the methods of ``open3d.t.geometry.RaycastingScene``, and takes arrays of numpy
or tensors, also of Open3D. Answers are arrays of numpy, unless ``tensors=True``; then they are tensors of
Open3D.

>>> import estoc.open3d, numpy as np
>>> scene = estoc.open3d.RaycastingScene()
>>> scene.add_triangles(np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.uint32([[0, 1, 2]]))
0
>>> answers = scene.cast_rays(np.float32([[0.25, 0.25, 1, 0, 0, -1]]))
>>> answers["t_hit"], answers["geometry_ids"]
(array([1.], dtype=float32), array([0], dtype=uint32))

What differs: every answer is exact, so ``count_intersections`` and ``list_intersections`` have one entry at
an edge that triangles share, wherever the rounding falls, and none where a ray only grazes the surface;
``compute_closest_points`` names the triangle with the lowest number of those that share the closest edge or
vertex; ``nsamples`` has no effect, as one exact count decides. A scene that is not closed has no inside:
there, the parity of the crossings in the direction +x decides.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._bvh import Bvh
from ._convert import from_open3d
from ._mesh import Mesh
from ._options import MOST_THREADS, Quality, real, whole

__all__ = ["RaycastingScene"]


class _Built(NamedTuple):
    """All meshes of a scene as one, in one tuple: another thread has all of it or nothing."""

    meshes: int
    bvh: Bvh
    #: The number of the first triangle of each mesh, and that of all.
    starts: npt.NDArray[np.int64]
    #: The normals of the triangles; the last is that of a miss, whose number is -1.
    normals: npt.NDArray[np.float32]

    def ids(self, prim: npt.NDArray[np.int64]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Returns the ids of geometries and of their triangles."""
        # As unsigned numbers of 32 bits, -1 is INVALID_ID.
        if self.meshes <= 1:
            return np.minimum(prim, 0).astype(np.uint32), prim.astype(np.uint32)
        geometry = np.searchsorted(self.starts, prim, side="right") - 1
        primitive = np.where(prim >= 0, prim - self.starts[geometry], -1)
        return geometry.astype(np.uint32), primitive.astype(np.uint32)


class RaycastingScene:
    """Triangle meshes under Open3D's names. ``nthreads=0`` stands for all processors.

    ``add_triangles`` may be called at any time; the next query builds a tree over all meshes.
    ``quality="best"`` builds longer, for faster rays.
    """

    INVALID_ID = 0xFFFF_FFFF
    """The id of a geometry or triangle where there is none."""

    def __init__(
        self, nthreads: int = 0, *, tensors: bool = False, quality: Quality = "balanced"
    ) -> None:
        self._quality = quality
        self._nthreads = _check_threads(nthreads)
        self._tensors = tensors
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
        given = vertex_positions if mesh is None else mesh
        if given is None or (mesh is not None and vertex_positions is not None):
            raise TypeError("add_triangles wants a mesh, or vertex_positions and triangle_indices")
        if triangle_indices is not None:
            if mesh is not None:
                raise TypeError("triangle_indices cannot be given with a mesh, which has its own")
            vertices = _arrays.columns("vertex_positions", given, "(V, 3)")
            indices = _arrays.as_integers("triangle_indices", triangle_indices)
            _arrays.check_columns("triangle_indices", indices, (3,), "(F, 3)")
            found = Mesh(vertices, indices)
        else:
            found = given if isinstance(given, Mesh) else from_open3d(given)
        self._meshes.append(found)
        return len(self._meshes) - 1

    def _built(self) -> _Built:
        newest = self._newest
        # Meshes are only ever added: their number tells whether the tree is of all.
        if newest is None or newest.meshes != len(self._meshes):
            newest = self._built_of(self._meshes[:])
            self._newest = newest
        return newest

    def _built_of(self, meshes: list[Mesh]) -> _Built:
        vertices: list[npt.NDArray[Any]] = [np.zeros((0, 3), np.float32)]
        faces: list[npt.NDArray[Any]] = [np.zeros((0, 3), np.int64)]
        before = 0
        for mesh in meshes:
            vertices.append(mesh.vertices)
            faces.append(mesh.faces.astype(np.int64) + before)
            before += len(mesh.vertices)
        merged = Mesh(np.concatenate(vertices), np.concatenate(faces))
        normals = merged.normals_at(np.arange(len(merged)))
        return _Built(
            len(meshes),
            Bvh(merged, quality=self._quality, threads=_threads(self._nthreads)),
            np.cumsum([0] + [len(mesh) for mesh in meshes]),
            np.concatenate([normals, np.zeros((1, 3))]).astype(np.float32),
        )

    def _given(self, answers: dict[str, npt.NDArray[Any]]) -> dict[str, Any]:
        return {name: self._out(array) for name, array in answers.items()}

    def _out(self, array: npt.NDArray[Any]) -> Any:
        if not self._tensors:
            return array
        import open3d

        return open3d.core.Tensor.from_numpy(np.ascontiguousarray(array))

    def cast_rays(self, rays: Any, nthreads: int = 0) -> dict[str, Any]:
        """Returns ``t_hit``, ``geometry_ids``, ``primitive_ids``, ``primitive_uvs`` and
        ``primitive_normals`` of the first hit of each ray; rays have the shape (..., 6)."""
        found, threads = _six(rays), _check_threads(nthreads)
        built = self._built()
        shape = found.shape[:-1]
        t, prim = np.empty(shape, np.float32), np.empty(shape, np.int64)
        uvs = np.empty(shape + (2,), np.float32)
        u, v = uvs.reshape(-1, 2).T
        given = built.bvh._rays(found, None, threads=threads or None)
        answers = {"t": t, "prim": prim, "u": u, "v": v}
        given.ask(built.bvh._core, "closest_hit", (*given.arguments, None), answers)
        geometry, primitive = built.ids(prim)
        return self._given({
            "t_hit": t,
            "geometry_ids": geometry,
            "primitive_ids": primitive,
            "primitive_uvs": uvs,
            "primitive_normals": built.normals.take(prim, axis=0, mode="wrap"),
        })

    def test_occlusions(
        self, rays: Any, tnear: float = 0.0, tfar: float = np.inf, nthreads: int = 0
    ) -> Any:
        """Returns whether each ray hits anything between ``tnear`` and ``tfar``."""
        bvh, t_min, t_max = self._built().bvh, real("tnear", tnear), real("tfar", tfar)
        hits = bvh.any_hit(_six(rays), t_min=t_min, t_max=t_max, threads=_threads(nthreads))
        return self._out(hits)

    def count_intersections(self, rays: Any, nthreads: int = 0) -> Any:
        """Returns how often each ray crosses a surface, as ``int32``."""
        counts = self._built().bvh.count_crossings(_six(rays), threads=_threads(nthreads))
        return self._out(counts.astype(np.int32))

    def list_intersections(self, rays: Any, nthreads: int = 0) -> dict[str, Any]:
        """Returns ``ray_splits``, ``ray_ids``, ``t_hit``, ``geometry_ids``, ``primitive_ids`` and
        ``primitive_uvs`` of the crossings of surfaces, ray by ray in order."""
        built = self._built()
        hits = built.bvh.crossings(_six(rays), threads=_threads(nthreads))
        geometry, primitive = built.ids(hits.prim)
        return self._given({
            "ray_splits": hits.offsets.astype(np.uint32),
            "ray_ids": hits.ray.astype(np.uint32),
            "t_hit": hits.t,
            "geometry_ids": geometry,
            "primitive_ids": primitive,
            "primitive_uvs": np.stack([hits.u, hits.v], axis=-1),
        })

    def compute_closest_points(self, query_points: Any, nthreads: int = 0) -> dict[str, Any]:
        """Returns ``points``, ``geometry_ids``, ``primitive_ids``, ``primitive_uvs`` and
        ``primitive_normals`` of the closest point to each point; these have the shape (..., 3)."""
        built = self._built()
        found = built.bvh.closest_point(_points(query_points), threads=_threads(nthreads))
        geometry, primitive = built.ids(found.prim)
        return self._given({
            "points": found.point,
            "geometry_ids": geometry,
            "primitive_ids": primitive,
            "primitive_uvs": np.stack([found.u, found.v], axis=-1),
            "primitive_normals": built.normals.take(found.prim, axis=0, mode="wrap"),
        })

    def compute_distance(self, query_points: Any, nthreads: int = 0) -> Any:
        """Returns the distance of each point from the surfaces."""
        return self._out(self._built().bvh.distance(_points(query_points), threads=_threads(nthreads)))

    def compute_signed_distance(self, query_points: Any, nthreads: int = 0, nsamples: int = 1) -> Any:
        """Returns the distance of each point from the surfaces, negative inside."""
        _check_samples(nsamples)
        tree = self._built().bvh
        distance = tree.distance(_points(query_points), threads=_threads(nthreads))
        inside = _inside(tree, query_points, nthreads)
        return self._out(np.where(inside & (distance > 0), -distance, distance))

    def compute_occupancy(self, query_points: Any, nthreads: int = 0, nsamples: int = 1) -> Any:
        """Returns 1 for each point that is inside, 0 for others, as ``float32``."""
        _check_samples(nsamples)
        return self._out(_inside(self._built().bvh, query_points, nthreads).astype(np.float32))

    @staticmethod
    def create_rays_pinhole(*args: Any, **kwargs: Any) -> npt.NDArray[np.float32]:
        """Returns the rays of a pinhole camera as an array of numpy of the shape (height_px, width_px, 6):
        ``create_rays_pinhole(intrinsic_matrix, extrinsic_matrix, width_px, height_px)``, or
        ``create_rays_pinhole(fov_deg, center, eye, up, width_px, height_px)``.

        >>> import estoc.open3d
        >>> rays = estoc.open3d.RaycastingScene.create_rays_pinhole(
        ...     fov_deg=90, center=[0, 0, 0], eye=[0, 0, 3], up=[0, 1, 0], width_px=3, height_px=2)
        >>> rays.shape, rays[0, 1].tolist()
        ((2, 3, 6), [0.0, 0.0, 3.0, 0.0, -0.3333333432674408, -1.0])
        """
        if len(args) + len(kwargs) == 4:
            return _from_matrices(*args, **kwargs)
        return _from_view(*args, **kwargs)


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
    turn = outer[:3, :3].T
    eye = -turn @ outer[:3, 3]
    x, y = np.meshgrid(np.arange(width_px) + 0.5, np.arange(height_px) + 0.5)
    pixels = np.stack([x, y, np.ones_like(x)], axis=-1)
    rays = np.empty((height_px, width_px, 6), np.float32)
    rays[..., :3] = eye
    rays[..., 3:] = pixels @ (turn @ np.linalg.inv(inner)).T
    return rays


def _from_view(
    fov_deg: float, center: Any, eye: Any, up: Any, width_px: int, height_px: int
) -> npt.NDArray[np.float32]:
    target = np.array(_arrays.point("center", center))
    origin, above = np.array(_arrays.point("eye", eye)), np.array(_arrays.point("up", up))
    focal = width_px / 2 / np.tan(np.deg2rad(fov_deg) / 2)
    forward = (target - origin) / np.linalg.norm(target - origin)
    # Open3D's images have the camera's up at the bottom.
    right = np.cross(above, forward)
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(forward, right), forward])
    outer = np.eye(4)
    outer[:3, :3] = turn
    outer[:3, 3] = -turn @ origin
    inner = np.array([[focal, 0, width_px / 2], [0, focal, height_px / 2], [0, 0, 1]])
    return _from_matrices(inner, outer, width_px, height_px)


def _six(rays: Any) -> npt.NDArray[Any]:
    found = _arrays.as_numbers("rays", rays)
    _arrays.check_columns("rays", found, (6,), "(..., 6), where a row is ox, oy, oz, dx, dy, dz")
    return found


def _inside(tree: Bvh, query_points: Any, nthreads: int) -> npt.NDArray[np.bool_]:
    threads, query_points = _threads(nthreads), _points(query_points)
    if tree.is_closed:
        return tree.contains(query_points, threads=threads)
    counts = tree.count_crossings(query_points, np.array([1, 0, 0], np.float32), threads=threads)
    return np.asarray(counts % 2 == 1)


def _points(query_points: Any) -> npt.NDArray[Any]:
    return _arrays.columns("query_points", query_points)


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
