"""Meshes of other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._mesh import Mesh, Origin
from ._options import BadFaces

#: The name of the array that follows cells through PyVista's ``triangulate``.
_CELLS = "estoc_cells"


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
    # Meshes of trimesh have triangles too.
    if hasattr(mesh, "vertices") and hasattr(mesh, "triangles") and not hasattr(mesh, "faces"):
        vertices, faces = np.asarray(mesh.vertices), np.asarray(mesh.triangles)
        return Mesh(vertices, faces, bad_faces=bad_faces, origin=origin)
    raise TypeError(
        f"mesh is a {type(mesh).__name__}; wanted is a triangle mesh of Open3D"
    )


def from_pyvista(mesh: Any, *, bad_faces: BadFaces = "reject", origin: Origin = None) -> Mesh:
    """Returns a ``pyvista.PolyData`` as a mesh. Polygons and triangle strips become the triangles that its
    ``triangulate`` makes of them; vertices and lines are left out. ``float32`` points are kept as they are,
    and ``float64`` is rounded. ``origin`` is as for :class:`~estoc.Mesh`.

    Of other data sets, such as an ``UnstructuredGrid``, convert the surface: ``mesh.extract_surface()``."""
    points, faces, _ = polydata("mesh", mesh)
    return Mesh(points, faces, bad_faces=bad_faces, origin=origin)


def polydata(
    name: str, mesh: Any
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Returns the points of a ``pyvista.PolyData``, its triangles, and the number of the cell of each."""
    # In this order: an UnstructuredGrid warns when it is asked for its faces.
    if not all(hasattr(mesh, attribute) for attribute in ("n_strips", "points", "faces")):
        raise TypeError(
            f"{name} is a {type(mesh).__name__}; wanted is a pyvista.PolyData, such as "
            "mesh.extract_surface() of another data set, or pyvista.wrap(mesh) of one of VTK"
        )
    # Each face is its number of points, and these.
    padded = np.asarray(mesh.faces).reshape(-1)
    if mesh.n_strips == 0 and len(padded) % 4 == 0 and (padded[::4] == 3).all():
        faces = padded.reshape(-1, 4)[:, 1:]
        # Cells are counted from vertices and lines on.
        cells = np.arange(len(faces)) + mesh.n_verts + mesh.n_lines
    else:
        numbered = mesh.copy(deep=False)
        numbered.cell_data[_CELLS] = np.arange(mesh.n_cells)
        cut = numbered.triangulate()
        faces = np.asarray(cut.faces).reshape(-1, 4)[:, 1:]
        cells = np.asarray(cut.cell_data[_CELLS])
    return np.asarray(mesh.points).reshape(-1, 3), faces.astype(np.int64), cells.astype(np.int64)
