"""Meshes of trimesh and PyVista, scaled, moved and rounded, and their trees."""

from __future__ import annotations

import math
import sys
from typing import Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._arrays import as_integers
from ._bvh import Bvh
from ._errors import MeshError
from ._mesh import Mesh, counted
from ._options import Quality
from ._results import Reals
from ._scene import Scene

#: Meshes with a size of 2 to a power between these are not scaled: ``float32`` has room beside it.
_SMALL, _LARGE = -40, 40

#: Roundings in ``float64``, in units of those in ``float32``, with something to spare.
_FINE = 2.0**-28

#: Origins up to so many sizes away are rounded.
_NEAR = 8


class _Moved(Mesh):
    """A mesh that is moved by its middle."""

    __slots__ = ()
    _advice = "the triangles are too small for the size of the mesh: meshes of its parts keep more digits"


class Tree:
    """The tree of a mesh of trimesh, built again after the mesh has changed."""

    def __init__(self, mesh: Any, threads: Optional[int], quality: Quality, is_wide: bool = False) -> None:
        self._mesh = mesh
        self._settings = threads, quality, is_wide
        self._built: Optional[tuple[int, Rounded]] = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_built": None}

    def rounded(self) -> Rounded:
        """Returns the mesh as it is now. Other threads may have it built too: each call goes on with one."""
        key = hash(self._mesh)
        built = self._built
        if built is None or built[0] != key:
            built = key, Rounded(self._mesh, *self._settings)
            self._built = built
        return built[1]


class Rounded:
    """A mesh of another library that is scaled by a power of two, moved by its middle and rounded, and its tree; or, if
    it is wide, the mesh as it is in ``float64``."""

    def __init__(self, mesh: Any, threads: Optional[int], quality: Quality, is_wide: bool = False) -> None:
        self.is_wide = is_wide
        # float32 is kept as it is.
        is_exact = is_wide or np.asarray(mesh.vertices).dtype == np.float32
        vertices = np.array(mesh.vertices, dtype=np.float64).reshape(-1, 3)
        faces = as_integers("mesh.faces", np.asarray(mesh.faces)).reshape(-1, 3)
        low, high = _box(vertices, faces)
        with np.errstate(over="ignore"):
            size = min(float((high - low).max()), sys.float_info.max)
        exponent = math.frexp(size)[1]
        #: The vertices are those of the mesh, divided by 2 to the power of this.
        self.exponent = 0 if is_exact or size == 0 or _SMALL <= exponent <= _LARGE else exponent
        #: The length of the longest side of the box around the vertices.
        self.size = math.ldexp(size, -self.exponent)
        self.vertices = self.scaled(vertices)
        self.middle = np.zeros(3) if is_exact else self.scaled(low) / 2 + self.scaled(high) / 2
        with np.errstate(over="ignore", invalid="ignore"):
            mesh = _Moved(self.vertices - self.middle, faces, dtype=np.float64 if is_wide else np.float32)
        self.faces = mesh.faces
        self.bvh = Bvh(mesh, quality=quality, threads=threads)
        self._corners: Any = None
        self._scene: Optional[Scene] = None

    def scaled(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Returns points of the mesh in the scale of the tree."""
        return points if self.exponent == 0 else np.asarray(np.ldexp(points, -self.exponent))

    def unscaled(self, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Returns points, or distances, of the tree in the scale of the mesh."""
        return numbers if self.exponent == 0 else np.asarray(np.ldexp(numbers, self.exponent))

    def local(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Returns points of the mesh in the coordinates of the tree."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(self.scaled(points) - self.middle)

    def corners(self, prim: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float64], ...]:
        """Returns the corners of triangles, scaled only."""
        a, b, c = (self.vertices[corner] for corner in self.faces[prim].T)
        return a, b, c

    def sharing(
        self, prim: npt.NDArray[np.int64], feature: npt.NDArray[np.uint8]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Returns the triangles that share a vertex (features 0 to 2) or an edge (3 to 5, from the vertex of
        that number less 3) of triangles, each with the index of the feature."""
        if self._corners is None:
            _, places = np.unique(self.bvh.mesh.vertices, axis=0, return_inverse=True)
            # Vertices by their positions, and the triangles of each.
            names = places.reshape(-1)[self.faces]
            order = np.argsort(names.reshape(-1), kind="stable")
            ends = np.cumsum(np.bincount(names.reshape(-1), minlength=len(places)))
            self._corners = names, np.concatenate([[0], ends]), order // 3
        names, starts, triangles = self._corners
        first = names[prim, feature % 3]
        counts = starts[first + 1] - starts[first]
        rows = np.repeat(np.arange(len(prim)), counts)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        prims = triangles[starts[first][rows] + within]
        second = names[prim, (feature + 1) % 3]
        has_edge = (feature[rows] < 3) | (names[prims] == second[rows, np.newaxis]).any(axis=1)
        return rows[has_edge], prims[has_edge]

    def points(
        self,
        origins: npt.NDArray[np.float64],
        directions: npt.NDArray[np.float64],
        prim: npt.NDArray[np.int64],
        weights: Sequence[Reals],
    ) -> npt.NDArray[np.float64]:
        """Returns where lines meet the planes of triangles before rounding; where that is not more accurate, as for
        a line nearly in the plane or from far away, or for a wide mesh, the point of the triangle with these
        weights."""
        if self.is_wide:
            # These weights are the nearest float64s.
            return self.bvh.mesh.points_at(prim, *weights)
        a, b, c = self.corners(prim)
        start = self.scaled(origins)
        # Lengths of lines from very far away may be infinite: these are not steep.
        with np.errstate(over="ignore", invalid="ignore"):
            normals, ahead = np.cross(b - a, c - a), a - start
            along = np.einsum("ij,ij->i", normals, directions)
            first, second, third = (np.linalg.norm(vectors, axis=1) for vectors in (normals, directions, ahead))
            is_steep = np.abs(along) * self.size > _FINE * first * second * third
            t = np.einsum("ij,ij->i", normals, ahead)
            t = np.divide(t, along, out=np.zeros_like(t), where=is_steep)
            points = start + t[:, np.newaxis] * directions
        if not is_steep.all():
            u, v = (w[~is_steep].astype(np.float64)[:, np.newaxis] for w in weights)
            a, b, c = a[~is_steep], b[~is_steep], c[~is_steep]
            points[~is_steep] = a + u * (b - a) + v * (c - a)
        return self.unscaled(points)

    def asked(
        self, origins: npt.NDArray[np.float64]
    ) -> tuple[Union[Bvh, Scene], npt.NDArray[np.float64]]:
        """Returns what is asked about rays with these origins, and the origins in its coordinates: the tree, which
        rounds rays to ``float32``, or a scene of it, which does not, where an origin is more than 8 sizes away.
        Rounding moves nearer ones by at most 2^-21 of the size in each coordinate."""
        if self.is_wide:
            return self.bvh, origins
        local, limit = self.local(origins), _NEAR * self.size
        # Not so where there are NaNs, beside which there may be far origins.
        is_near = bool(np.abs(local).max(initial=0.0) <= limit)
        if is_near or not (np.abs(local) > limit).any():
            return self.bvh, local
        if self._scene is None:
            scene = Scene(threads=self.bvh.threads)
            scene.add(self.bvh)
            self._scene = scene
        return self._scene, local


def _box(
    vertices: npt.NDArray[np.float64], faces: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Returns the least and the greatest corner of the box around the vertices that faces use, 0 without faces.
    Refuses those that are not finite or not there."""
    if len(faces) == 0:
        return np.zeros(3), np.zeros(3)
    if faces.min() < 0 or faces.max() >= len(vertices):
        face, corner = np.argwhere((faces < 0) | (faces >= len(vertices)))[0]
        raise MeshError(
            f"face {face}: vertex {faces[face, corner]} is out of range: the mesh has "
            f"{counted(len(vertices), 'vertex', 'vertices')}"
        )
    is_used = np.zeros(len(vertices), np.bool_)
    is_used[faces.reshape(-1)] = True
    used = vertices if is_used.all() else vertices[is_used]
    low, high = used.min(axis=0), used.max(axis=0)
    if not np.isfinite([low, high]).all():
        is_finite = np.asarray(np.isfinite(vertices).all(axis=1))
        face, corner = np.argwhere(~is_finite[faces])[0]
        vertex = faces[face, corner]
        raise MeshError(
            f"mesh.faces[{face}]: vertex {vertex} is not finite: {vertices[vertex].tolist()}; "
            "mesh.remove_infinite_values() leaves out such vertices and their faces"
        )
    return low, high
