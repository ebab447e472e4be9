"""Meshes of a scene as one."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _estoc
from ._mesh import Mesh
from ._options import ALL_BITS


def merged(meshes: list[Mesh]) -> Mesh:
    """Returns meshes with the same origin as one."""
    vertices = [mesh._core.vertices() for mesh in meshes]
    starts = np.cumsum([0] + [len(rows) for rows in vertices])
    dtype = np.uint32 if starts[-1] <= ALL_BITS else np.int64
    faces: npt.NDArray[Any] = np.concatenate(
        [np.zeros((0, 3), dtype), *(mesh._core.faces() for mesh in meshes)], dtype=dtype
    )
    end = 0
    for mesh, start in zip(meshes, starts.astype(dtype)):
        first, end = end, end + len(mesh)
        faces[first:end] += start
    joined = np.concatenate([np.zeros((0, 3), np.float32), *vertices])
    # What has no triangles may have another origin.
    with_triangles = [mesh for mesh in meshes if len(mesh)] or meshes
    origin = with_triangles[0].origin.tolist() if meshes else [0.0, 0.0, 0.0]
    return Mesh._of(_estoc.Mesh.at_origin(joined, faces, origin))
