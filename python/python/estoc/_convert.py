"""Meshes of other libraries."""

from __future__ import annotations

import warnings
from typing import Any, Optional, Protocol, Union, overload

import numpy as np
import numpy.typing as npt

from ._arrays import as_integers
from ._bvh import Bvh
from ._errors import SceneError
from ._mesh import Mesh, Origin
from ._options import BadFaces, RealType
from ._scene import Scene

#: The name of the array that follows cells through PyVista's ``triangulate``.
_CELLS = "estoc_cells"


class _TrimeshScene(Protocol):
    """What a ``trimesh.Scene`` has."""

    geometry: Any
    graph: Any


@overload
def from_trimesh(
    mesh: _TrimeshScene,
    *,
    bad_faces: BadFaces = "reject",
    origin: Origin = None,
    dtype: RealType = np.float32,
) -> Scene: ...
@overload
def from_trimesh(
    mesh: Any,
    *,
    bad_faces: BadFaces = "reject",
    origin: Origin = None,
    dtype: RealType = np.float32,
) -> Mesh: ...
def from_trimesh(
    mesh: Any,
    *,
    bad_faces: BadFaces = "reject",
    origin: Origin = None,
    dtype: RealType = np.float32,
) -> Union[Mesh, Scene]:
    """Returns a ``trimesh.Trimesh`` as a mesh: the same vertices, rounded to ``float32`` unless ``dtype`` is
    ``numpy.float64``, and the same faces. ``origin`` and ``dtype`` are as for :class:`~estoc.Mesh`.

    A ``trimesh.Scene`` becomes an :class:`~estoc.Scene`: each node with a mesh is a placement, in the order of
    ``graph.nodes_geometry``, with the node's matrix, which is not rounded without an origin, and its name. ``origin``
    is that of each mesh in its own coordinates. What has no triangles, such as a path or a cloud of points, is left
    out with a warning."""
    if hasattr(mesh, "geometry") and hasattr(mesh, "graph"):
        return _scene(mesh, bad_faces, origin, dtype)
    if not (hasattr(mesh, "vertices") and hasattr(mesh, "faces")):
        raise TypeError(f"mesh is a {type(mesh).__name__}; wanted is a trimesh.Trimesh or a trimesh.Scene")
    return Mesh(np.asarray(mesh.vertices), np.asarray(mesh.faces), bad_faces=bad_faces, origin=origin, dtype=dtype)


def _scene(given: _TrimeshScene, bad_faces: BadFaces, origin: Origin, dtype: RealType) -> Scene:
    scene, trees = Scene(), dict[Any, Optional[Bvh]]()
    for node in given.graph.nodes_geometry:
        matrix, name = given.graph[node]
        geometry = given.geometry[name]
        if name not in trees:
            if hasattr(geometry, "faces"):
                trees[name] = Bvh(from_trimesh(geometry, bad_faces=bad_faces, origin=origin, dtype=dtype))
            else:
                kind = type(geometry).__name__
                warnings.warn(f"the geometry {name!r} is a {kind} and left out: it has no triangles", stacklevel=3)
                trees[name] = None
        tree = trees[name]
        if tree is None:
            continue
        try:
            scene.add(tree, matrix, name=str(node))
        except SceneError as error:
            raise SceneError(f"the node {node!r}: {error}") from None
    return scene


def from_meshio(
    mesh: Any,
    *,
    bad_faces: BadFaces = "reject",
    origin: Origin = None,
    dtype: RealType = np.float32,
) -> Mesh:
    """Returns a ``meshio.Mesh`` of triangles and quads as a mesh, with the points rounded to ``dtype``.

    Triangles are numbered in the order of the blocks of cells. A quad of the corners a, b, c, d becomes two of them:
    a, b, c and a, c, d. Other cells are refused. ``bad_faces``, ``origin`` and ``dtype`` are as for
    :class:`~estoc.Mesh`."""
    if not (hasattr(mesh, "points") and hasattr(mesh, "cells")):
        raise TypeError(f"mesh is a {type(mesh).__name__}; wanted is a meshio.Mesh")
    others = sorted({str(block.type) for block in mesh.cells} - {"triangle", "quad"})
    if others:
        raise ValueError(
            f"mesh has cells of the type {', '.join(others)}; wanted are triangle and quad: leave out others by "
            'mesh.cells = [block for block in mesh.cells if block.type in ("triangle", "quad")]'
        )
    blocks = []
    for block in mesh.cells:
        corners = as_integers("cells", block.data)
        blocks.append(corners if block.type == "triangle" else corners[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3))
    # For two types of 64 bits, numpy would take float64.
    kind = np.uint64 if all(block.dtype.kind == "u" for block in blocks) else np.int64
    faces = np.concatenate([np.zeros((0, 3), kind), *(block.astype(kind) for block in blocks)])
    return Mesh(np.asarray(mesh.points), faces, bad_faces=bad_faces, origin=origin, dtype=dtype)


def from_open3d(
    mesh: Any,
    *,
    bad_faces: BadFaces = "reject",
    origin: Origin = None,
    dtype: RealType = np.float32,
) -> Mesh:
    """Returns an ``open3d.geometry.TriangleMesh`` or ``open3d.t.geometry.TriangleMesh`` as a mesh, with
    the vertices rounded to ``dtype``. ``origin`` and ``dtype`` are as for :class:`~estoc.Mesh`."""
    if hasattr(mesh, "vertex") and hasattr(mesh, "triangle"):
        vertices, faces = mesh.vertex.positions.cpu(), mesh.triangle.indices.cpu()
        return Mesh(vertices.numpy(), faces.numpy(), bad_faces=bad_faces, origin=origin, dtype=dtype)
    # Meshes of trimesh have triangles too.
    if hasattr(mesh, "vertices") and hasattr(mesh, "triangles") and not hasattr(mesh, "faces"):
        vertices, faces = np.asarray(mesh.vertices), np.asarray(mesh.triangles)
        return Mesh(vertices, faces, bad_faces=bad_faces, origin=origin, dtype=dtype)
    raise TypeError(
        f"mesh is a {type(mesh).__name__}; wanted is a triangle mesh of Open3D"
    )


def from_pyvista(
    mesh: Any,
    *,
    bad_faces: BadFaces = "reject",
    origin: Origin = None,
    dtype: RealType = np.float32,
) -> Mesh:
    """Returns a ``pyvista.PolyData`` as a mesh. Polygons and triangle strips become the triangles that its
    ``triangulate`` makes of them; vertices and lines are left out. ``float32`` points are kept as they are,
    and ``float64`` is rounded, unless that is ``dtype``. ``origin`` and ``dtype`` are as for :class:`~estoc.Mesh`.

    Of other data sets, such as an ``UnstructuredGrid``, convert the surface: ``mesh.extract_surface()``."""
    points, faces, _ = polydata("mesh", mesh)
    return Mesh(points, faces, bad_faces=bad_faces, origin=origin, dtype=dtype)


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
