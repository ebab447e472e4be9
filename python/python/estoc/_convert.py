"""Meshes of other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._mesh import Mesh, Origin
from ._options import BadFaces


def from_trimesh(mesh: Any, *, bad_faces: BadFaces = "reject", origin: Origin = None) -> Mesh:
    """Returns a ``trimesh.Trimesh`` as a mesh: the same vertices, rounded to ``float32``, and the same
    faces. ``origin`` is as for :class:`~estoc.Mesh`."""
    if not (hasattr(mesh, "vertices") and hasattr(mesh, "faces")):
        raise TypeError(f"mesh is a {type(mesh).__name__}; wanted is a trimesh.Trimesh")
    return Mesh(np.asarray(mesh.vertices), np.asarray(mesh.faces), bad_faces=bad_faces, origin=origin)


def from_open3d(mesh: Any, *, bad_faces: BadFaces = "reject", origin: Origin = None) -> Mesh:
    """Returns an ``open3d.geometry.TriangleMesh`` or ``open3d.t.geometry.TriangleMesh`` as a mesh, with
    the vertices rounded to ``float32``. ``origin`` is as for :class:`~estoc.Mesh`."""
    if hasattr(mesh, "vertex") and hasattr(mesh, "triangle"):
        vertices, faces = mesh.vertex.positions.cpu(), mesh.triangle.indices.cpu()
        return Mesh(vertices.numpy(), faces.numpy(), bad_faces=bad_faces, origin=origin)
    if hasattr(mesh, "vertices") and hasattr(mesh, "triangles"):
        vertices, faces = np.asarray(mesh.vertices), np.asarray(mesh.triangles)
        return Mesh(vertices, faces, bad_faces=bad_faces, origin=origin)
    raise TypeError(
        f"mesh is a {type(mesh).__name__}; wanted is a triangle mesh of Open3D"
    )
