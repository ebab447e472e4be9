"""Normals of triangles, for many rays."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._mesh import Mesh

#: Triangles whose normals are computed at a time: their numbers stay in the processor's cache.
_BLOCK = 4096


class Normals:
    """The unit normals of the triangles of a mesh in ``float32``, computed for those that are asked about, and for all
    once that many have been asked about. Other threads may compute them too: they find the same."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self._asked = 0
        self._corners: Optional[tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]] = None
        self._all: Optional[npt.NDArray[np.float32]] = None

    def at(self, prim: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Returns the normals of triangles; 0 for -1, and for triangles without area."""
        if self._all is None:
            self._asked += prim.size
            vertices, faces = self._corners = self._corners or (self._mesh._core.vertices(), self._mesh._core.faces())
            if self._asked <= len(faces):
                normals = np.zeros(prim.shape + (3,), np.float32)
                rows = np.flatnonzero(prim >= 0)
                normals.reshape(-1, 3)[rows] = _unit_normals(vertices, faces, prim.reshape(-1)[rows])
                return normals
            # The last is that of a miss, whose number is -1.
            normals = np.zeros((len(faces) + 1, 3), np.float32)
            normals[:-1] = _unit_normals(vertices, faces, np.arange(len(faces)))
            self._all, self._corners = normals, None
        return self._all.take(prim, axis=0, mode="wrap")


def _unit_normals(
    vertices: npt.NDArray[Any], faces: npt.NDArray[Any], prim: npt.NDArray[np.int64]
) -> npt.NDArray[np.float32]:
    normals = np.empty((len(prim), 3), np.float32)
    for start in range(0, len(prim), _BLOCK):
        block = slice(start, start + _BLOCK)
        corners = vertices.take(faces.take(prim[block], axis=0), axis=0)
        # By corner and axis, so that each step is about one array.
        a, b, c = np.ascontiguousarray(corners.transpose(1, 2, 0), dtype=np.float64)
        (px, py, pz), (qx, qy, qz) = b - a, c - a
        across = np.stack([py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx])
        length = np.sqrt(np.einsum("ij,ij->j", across, across))
        normals[block] = np.divide(across, length, out=across, where=length > 0).T
    return normals
