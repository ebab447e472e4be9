"""Meshes that are added to a scene."""

from __future__ import annotations

from typing import Optional

import numpy as np

from .._arrays import ArrayLike, as_integers, as_numbers
from .._mesh import Mesh
from .rtcore_scene import EmbreeScene

#: The triangles of a cell by the number of its corners, as embreex numbers them.
_TRIANGLES = {
    4: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    8: [
        [0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4],
        [1, 2, 6], [1, 6, 5], [0, 7, 3], [0, 4, 7], [3, 6, 2], [3, 7, 6],
    ],
}


class _Added(Mesh):
    """A mesh of a scene, whose meshes have no origins."""

    __slots__ = ()
    _advice = "subtract the middle of the scene from vertices and from origins of rays to keep more digits"


class TriangleMesh:
    """Triangles: ``vertices`` of the shape (V, 3) with ``indices`` of the shape (F, 3), or corners of the shape
    (F, 3, 3) without."""

    def __init__(self, scene: EmbreeScene, vertices: ArrayLike, indices: Optional[ArrayLike] = None) -> None:
        corners = as_numbers("vertices", vertices)
        if indices is None:
            if corners.ndim != 3 or corners.shape[1:] != (3, 3):
                raise ValueError(f"vertices has the shape {corners.shape}; wanted is (F, 3, 3) without indices")
            corners, indices = corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3)
        self.mesh = scene._add(_Added(corners, indices))


class ElementMesh(TriangleMesh):
    """The triangles of tetrahedra, ``indices`` of the shape (N, 4), four each, or of hexahedra, (N, 8), twelve
    each."""

    def __init__(self, scene: EmbreeScene, vertices: ArrayLike, indices: ArrayLike) -> None:
        cells = as_integers("indices", indices)
        if cells.ndim != 2 or cells.shape[1] not in _TRIANGLES:
            raise NotImplementedError(f"indices has the shape {cells.shape}; wanted is (N, 4) or (N, 8)")
        super().__init__(scene, vertices, cells[:, _TRIANGLES[cells.shape[1]]].reshape(-1, 3))
