"""Cuts of meshes with planes."""

from __future__ import annotations

from typing import Optional

import numpy as np
import numpy.typing as npt

from . import _estoc

#: The points of a polygon in the plane, and those of its holes.
Polygon = tuple[npt.NDArray[np.float64], list[npt.NDArray[np.float64]]]


class Section:
    """The cut of a mesh with a plane, as polylines; those of a closed mesh are closed.

    :meth:`estoc.Bvh.section` and :meth:`estoc.Bvh.sections` make them.
    """

    __slots__ = ("_core", "points", "prim", "offsets", "areas", "parents", "is_hole", "area", "to_3d")

    points: npt.NDArray[np.float32]
    """The points of all polylines, of the shape (N, 3): those of polyline ``i`` are at
    ``offsets[i]:offsets[i + 1]``. The last point of a closed one is not the first again."""
    prim: npt.NDArray[np.int64]
    """The number of the triangle across which the segment from each point leads."""
    offsets: npt.NDArray[np.int64]
    """The index of each polyline's first point, followed by the number of all."""
    areas: npt.NDArray[np.float64]
    """The area of each polyline, with an exact sign: positive where it runs counterclockwise as seen from where
    the normal points, as around the inside of a mesh that faces outwards. NaN for an open one."""
    parents: npt.NDArray[np.int64]
    """The polyline that each one lies in, the innermost; -1 where there is none."""
    is_hole: npt.NDArray[np.bool_]
    """Whether each polyline lies in an odd number of others."""
    area: Optional[float]
    """The area that the polylines enclose, without holes, within 2**-35 of the sum of all; ``None`` if one is
    open."""
    to_3d: npt.NDArray[np.float64]
    """The matrix of the shape (4, 4) from coordinates in the plane, x to the right, y up, 0, 1, to space."""

    def __init__(self, core: _estoc.Section) -> None:
        self._core = core
        self.points, self.prim, self.offsets = core.points()
        self.areas, self.parents, self.is_hole = core.loops()
        self.area = core.area()
        self.to_3d = np.array(core.frame())

    @property
    def polylines(self) -> list[npt.NDArray[np.float32]]:
        """The points of each polyline, of the shape (n, 3)."""
        return np.split(self.points, self.offsets[1:-1]) if len(self.areas) else []

    @property
    def is_closed(self) -> npt.NDArray[np.bool_]:
        """Whether each polyline is closed."""
        return ~np.isnan(self.areas)

    def polygons(self) -> list[Polygon]:
        """Returns the polygons that closed polylines enclose: of each the points of its outline and of its
        holes, of the shape (n, 2), in coordinates of the plane, as ``shapely.Polygon(outline, holes)``
        takes them. :attr:`to_3d` leads back to space. Polylines without area are left out.

        Which is whose hole is decided by the exact points; these points are rounded, and shapely may call a
        polygon invalid whose outline nearly touches itself.

        >>> import estoc
        >>> corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]
        >>> solid = estoc.Bvh(estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
        >>> [(outline, holes)] = solid.section([0, 0, 1], [0, 0, 1]).polygons()
        >>> outline.tolist(), holes
        ([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]], [])
        """
        flat = self.points.astype(np.float64) @ self.to_3d[:3, :2] + 0.0
        rings = np.split(flat, self.offsets[1:-1])
        has_area = np.nan_to_num(self.areas) != 0
        inside: dict[int, list[npt.NDArray[np.float64]]] = {
            int(i): [] for i in np.flatnonzero(has_area & ~self.is_hole)
        }
        for i in np.flatnonzero(has_area & self.is_hole):
            inside[int(self.parents[i])].append(rings[i])
        return [(rings[i], holes) for i, holes in inside.items()]

    def to_svg(self) -> str:
        """Returns a picture as seen from where the normal points: closed polylines filled, open ones as
        lines."""
        return self._core.to_svg()

    def __len__(self) -> int:
        return len(self.areas)

    def __repr__(self) -> str:
        count = len(self)
        area = "open" if self.area is None else f"area {self.area:.6g}"
        return f"<estoc.Section: {count} polyline{'' if count == 1 else 's'}, {area}>"
