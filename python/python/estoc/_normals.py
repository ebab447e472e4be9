"""Normals of triangles, for many rays."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._mesh import Mesh

#: Triangles whose normals are computed at a time: their numbers stay in the processor's cache.
_BLOCK = 4096

#: Triangles whose normals take as long as a call about one.
_CALL = 1024


class Normals:
    """The unit normals of the triangles of a mesh in ``float32``: of those that are asked about, and kept for all once
    the calls have taken about as long as that does. Other threads may compute them too: they find the same."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self._asked = 0
        self._corners: Optional[tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]] = None
        self._kept: Optional[npt.NDArray[np.float32]] = None

    def at(self, prim: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Returns the normals of triangles; 0 for -1, and for triangles without area."""
        kept = self._kept
        if kept is None:
            if self._corners is None:
                self._corners = np.ascontiguousarray(self._mesh._core.vertices().T), self._mesh._core.faces()
            axes, faces = self._corners
            self._asked += prim.size + _CALL
            if 2 * self._asked < len(faces):
                normals, rows = np.zeros((prim.size, 3), np.float32), np.flatnonzero(prim >= 0)
                normals[rows] = _unit_normals(axes, faces.take(prim.reshape(-1)[rows], axis=0))
                return normals.reshape(prim.shape + (3,))
            # The last is that of a miss, whose number is -1.
            self._kept = kept = np.append(_unit_normals(axes, faces), np.zeros((1, 3), np.float32), axis=0)
        return kept.take(prim, axis=0, mode="wrap")


def _unit_normals(axes: npt.NDArray[np.float32], faces: npt.NDArray[np.uint32]) -> npt.NDArray[np.float32]:
    """Returns the normals of triangles, computed in ``float64``; ``axes`` has the vertices, one row for each axis."""
    normals = np.empty((len(faces), 3), np.float32)
    for start in range(0, len(faces), _BLOCK):
        block = slice(start, start + _BLOCK)
        corners = faces[block].T
        (ax, bx, cx), (ay, by, cy), (az, bz, cz) = (axis.take(corners).astype(np.float64) for axis in axes)
        px, py, pz, qx, qy, qz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
        across = py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx
        length = np.sqrt(sum(x * x for x in across))
        length[length == 0] = 1
        for column, x in zip(normals[block].T, across):
            np.divide(x, length, out=column, casting="same_kind")
    return normals
