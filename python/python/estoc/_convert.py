"""Meshes of other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._mesh import Mesh


def from_trimesh(mesh: Any, *, bad_faces: str = "reject") -> Mesh:
    """Returns a ``trimesh.Trimesh`` as a mesh: the same vertices, rounded to ``float32``, and the same
    faces."""
    if not (hasattr(mesh, "vertices") and hasattr(mesh, "faces")):
        raise TypeError(f"mesh is a {type(mesh).__name__}; wanted is a trimesh.Trimesh")
    return Mesh(np.asarray(mesh.vertices), np.asarray(mesh.faces), bad_faces=bad_faces)


def from_open3d(mesh: Any, *, bad_faces: str = "reject") -> Mesh:
    """Returns an ``open3d.geometry.TriangleMesh`` or ``open3d.t.geometry.TriangleMesh`` as a mesh, with
    the vertices rounded to ``float32``."""
    if hasattr(mesh, "vertex") and hasattr(mesh, "triangle"):
        vertices, faces = mesh.vertex.positions.cpu(), mesh.triangle.indices.cpu()
        return Mesh(vertices.numpy(), faces.numpy(), bad_faces=bad_faces)
    if hasattr(mesh, "vertices") and hasattr(mesh, "triangles"):
        return Mesh(np.asarray(mesh.vertices), np.asarray(mesh.triangles), bad_faces=bad_faces)
    raise TypeError(
        f"mesh is a {type(mesh).__name__}; wanted is a triangle mesh of Open3D"
    )
