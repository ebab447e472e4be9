"""Scenes of triangles."""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from .._arrays import ArrayLike, as_numbers, columns
from .._bvh import Bvh
from .._merge import merged
from .._mesh import Mesh, counted
from .._options import choice

#: What is told to be the distance where nothing is hit and no limit is given.
_FAR = 1e37


class EmbreeScene:
    """Meshes that rays are traced against. ``device`` and ``robust`` have no effect."""

    def __init__(self, device: Any = None, robust: bool = True) -> None:
        self.device = device
        self._meshes: list[Mesh] = []
        self._built: Optional[tuple[int, Bvh]] = None

    @property
    def is_committed(self) -> int:
        """Whether the tree is built, which the first query does, and each after a mesh is added."""
        built = self._built
        return int(built is not None and built[0] == len(self._meshes))

    def _add(self, mesh: Mesh) -> int:
        self._meshes.append(mesh)
        return len(self._meshes) - 1

    def _tree(self) -> Bvh:
        built = self._built
        # Meshes are only ever added, also while a tree is built: their number tells whether it is of all.
        if built is None or built[0] != len(self._meshes):
            meshes = self._meshes[:]
            built = len(meshes), Bvh(merged(meshes))
            self._built = built
        return built[1]

    def __repr__(self) -> str:
        meshes = counted(len(self._meshes), "mesh", "meshes")
        triangles = counted(sum(map(len, self._meshes)), "triangle", "triangles")
        return f"<estoc.embreex.rtcore_scene.EmbreeScene: {meshes}, {triangles}>"

    def run(
        self,
        vec_origins: ArrayLike,
        vec_directions: ArrayLike,
        dists: Union[None, float, ArrayLike] = None,
        query: str = "INTERSECT",
        output: Any = None,
    ) -> Any:
        """Returns an answer for each ray: for ``"INTERSECT"`` the number of the first triangle within its mesh, for
        ``"OCCLUDED"`` 0 if anything is hit, both with -1 for a miss; for ``"DISTANCE"`` the distance, in units of the
        direction's length, with ``dists`` for a miss. With ``output``, returns a dict of all about the first hit:
        ``u``, ``v``, the normal ``Ng``, as long as twice the area of the triangle, ``tfar``, ``primID`` and
        ``geomID``.

        Both arrays have the shape (N, 3), that of directions may be (1, 3). ``dists``, a number or one for each ray,
        is how far rays go; 1e37 by default.
        """
        choice("query", query, ("INTERSECT", "OCCLUDED", "DISTANCE"))
        origins = columns("vec_origins", vec_origins, "(N, 3)")
        directions = columns("vec_directions", vec_directions, "(N, 3) or (1, 3)")
        number = len(origins) if origins.ndim == 2 else -1
        if number < 0 or directions.shape not in ((number, 3), (1, 3)):
            raise ValueError(
                f"vec_origins has the shape {origins.shape} and vec_directions {directions.shape}; wanted are (N, 3) "
                "and the same or (1, 3)"
            )
        with np.errstate(over="ignore"):
            limits = as_numbers("dists", _FAR if dists is None else dists).astype(np.float32)
        if limits.shape not in ((), (number,)):
            raise ValueError(f"dists has the shape {limits.shape}; wanted is one number, or ({number},)")
        bvh = self._tree()
        if query == "OCCLUDED" and not output:
            return np.where(bvh.any_hit(origins, directions, t_max=limits), 0, -1).astype(np.int32)
        hits = bvh.closest_hit(origins, directions, t_max=limits)
        distances = np.where(hits.is_hit, hits.t, limits)
        if query == "DISTANCE" and not output:
            return distances
        starts = np.cumsum([0] + [len(mesh) for mesh in self._meshes])
        mesh_of = np.where(hits.is_hit, np.searchsorted(starts, hits.prim, side="right") - 1, -1)
        prims = np.where(hits.is_hit, hits.prim - starts[mesh_of], -1).astype(np.int32)
        if not output:
            return prims
        normals = np.zeros((number, 3), np.float32)
        a, b, c = (bvh.mesh.vertices[corner].astype(np.float64) for corner in bvh.mesh.faces[hits.prim[hits.is_hit]].T)
        normals[hits.is_hit] = np.cross(b - a, c - a)
        return {
            "u": hits.u,
            "v": hits.v,
            "Ng": normals,
            "tfar": distances,
            "primID": prims,
            "geomID": mesh_of.astype(np.int32),
        }
