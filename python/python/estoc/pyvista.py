"""estoc under PyVista's names.

.. code-block:: python

    import estoc.pyvista, pyvista
    sphere = pyvista.Sphere()
    points, cells = estoc.pyvista.ray_trace(sphere, [-1, 0.01, 0.02], [1, 0.01, 0.02])
    points, rays, cells = estoc.pyvista.multi_ray_trace(sphere, [[-1, 0.01, 0.02]], [[1, 0, 0]], first_point=True)
    grid = pyvista.ImageData(dimensions=(50, 50, 50), spacing=(0.02, 0.02, 0.02), origin=(-0.5, -0.5, -0.5))
    distance = grid.estoc.compute_implicit_distance(sphere)["implicit_distance"]

The functions have the arguments of PyVista's filters and return what these return: points, numbers of cells, and
data sets with arrays of the same names and types. From PyVista 0.48 on they are methods of all data sets too, such
as ``sphere.estoc.ray_trace``, and :func:`install` puts them in the place of PyVista's own.

Points of type ``float32`` are taken as they are, others are moved by the middle of the mesh and rounded to
``float32``; rays and points that are asked about are not rounded. What is hit and what is inside is exact for
these numbers. Locations and distances are computed in ``float64``, from the triangles before rounding. Polygons
and triangle strips are cut as ``triangulate`` cuts them, and vertices and lines are left out. The tree is built at
the first call, and again after the points or cells of the mesh have changed. PyVista does not tell of changes to an
array that was kept, as by ``points = mesh.points; points += 1``: call ``mesh.GetPoints().Modified()`` then.

What differs from PyVista:

- No ray slips through an edge or a vertex, and one that meets several triangles at the same place has one
  point there. There are no tolerances: ``tolerance``, ``locator_tolerance`` and ``retry`` have no effect.
- Points are in the order along the ray, are ``float64``, and with ``first_point=True`` it is the first one, with the
  number of its cell only (that of PyVista 0.49 is the one with the greatest x).
- ``multi_ray_trace`` needs neither trimesh nor embree.
- The distance from a closed surface is negative inside, whichever way its triangles face: inside is where the
  surface winds around the point or, if the triangles face different ways, where a ray crosses it an odd number of
  times. For an open surface, the sign is that of the normal of the closest triangle, as VTK has it: negative
  behind. At an edge or vertex the normals of all triangles there count, at a vertex by their angles.
- ``select_enclosed_points``, and ``select_interior_points`` with ``method="cell_locator"``, count crossings of a
  closed surface, so that what lies in two overlapping parts is outside; points on the surface are inside. For an
  open surface, which ``check_surface=False`` admits, they estimate the winding number.
- A surface is closed if its edges are, vertices of equal position being one: the seams of ``pyvista.Cylinder()``
  do not matter.
"""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._bvh import Bvh
from ._convert import polydata
from ._errors import MeshError, SurfaceError
from ._options import choice, real
from ._rounded import Rounded
from ._scene import Scene

__all__ = [
    "Accessor",
    "OpenSurfaceError",
    "compute_implicit_distance",
    "install",
    "multi_ray_trace",
    "ray_trace",
    "select_enclosed_points",
    "select_interior_points",
    "uninstall",
]

#: The feature of a closest point on the face of its triangle.
_FACE = 6

#: Rounding to ``float32`` moves a point by less than this part of its greatest coordinate, or than the least normal
#: number.
_MOVED, _TINY = 2.0**-22, 2.0**-126

#: Where the ray from the end of a segment meets the one from its start: a place that nobody chooses for a surface.
_MEETING = 0.6180339887

#: The exponent of coordinates that are far away.
_FAR = 400

#: The direction in which crossings are counted.
_RIGHT = np.array([1.0, 0.0, 0.0])

_Array = npt.NDArray[np.float64]


class OpenSurfaceError(SurfaceError, RuntimeError):
    """The surface has edges where it is open; PyVista raises a ``RuntimeError``."""


class _Triangles(NamedTuple):
    vertices: npt.NDArray[Any]
    faces: npt.NDArray[np.int64]


class _Surface:
    """The triangles of a mesh of PyVista, and their tree."""

    def __init__(self, name: str, mesh: Any) -> None:
        points, faces, self.cells = polydata(name, mesh)
        bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
        used = bad[np.isin(bad, faces)]
        if len(used):
            raise MeshError(f"{name}.points[{used[0]}] is not finite: {points[used[0]].tolist()}, and faces use it")
        self.rounded = Rounded(_Triangles(points, faces), None, "balanced")
        self.bvh = self.rounded.bvh
        self._scene = Scene()
        self._scene.add(self.bvh)

    def asked(self, *arrays: _Array) -> Union[Bvh, Scene]:
        """Returns what is asked about rays or points: a scene does not round them to ``float32``, which the tree
        does where that changes nothing."""
        with np.errstate(over="ignore", invalid="ignore"):
            fits = all(np.array_equal(array.astype(np.float32), array) for array in arrays)
        return self.bvh if fits else self._scene

    def hits(
        self, origins: _Array, directions: _Array, first_point: bool, t_max: float
    ) -> tuple[_Array, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Returns the points where rays hit, and the numbers of the rays and of the triangles."""
        with np.errstate(over="ignore"):
            local = self.rounded.local(origins), self.rounded.scaled(directions)
        target, threads = self.asked(*local), 1 if len(origins) == 1 else None
        if first_point:
            hits = target.closest_hit(*local, t_max=t_max, threads=threads)
            kept = rays = np.flatnonzero(hits.is_hit)
            prim, weights = hits.prim[kept], (hits.u[kept], hits.v[kept])
        else:
            lists = target.all_hits(*local, t_max=t_max, threads=threads, distinct=True)
            rays, prim, weights = lists.ray, lists.prim, (lists.u, lists.v)
        points = self.rounded.points(origins[rays], directions[rays], prim, weights)
        return points, rays, prim

    def between(self, start: _Array, end: _Array, first_point: bool) -> tuple[_Array, npt.NDArray[np.int64]]:
        """Returns the points of a segment in their order, and the numbers of their triangles."""
        low, high = self.rounded.local(start), self.rounded.local(end)
        with np.errstate(over="ignore", invalid="ignore"):
            along = high - low
            is_exact = bool(((low + along == high) & (high - along == low)).all())
            along = self.rounded.unscaled(along)
        points, _, prim = self.hits(start, along, first_point, 1.0 if is_exact else _MEETING + 2.0**-40)
        if not is_exact and not (first_point and len(prim)):
            # A ray with a rounded direction does not end where the segment does; one from there goes to meet it.
            others, _, prims = self.hits(end, -along, False, 1 - _MEETING)
            more = np.flatnonzero(~np.isin(prims, prim))[::-1][: 1 if first_point else None]
            points, prim = np.concatenate([points, others[more]]), np.append(prim, prims[more])
        return points, prim

    def distances(self, points: _Array) -> _Array:
        """Returns the distances of points, negative inside or behind; ``inf`` where there is none."""
        local = self.rounded.local(points)
        target = self.asked(local)
        found = target.closest_point(local)
        rows = np.flatnonzero(found.prim >= 0)
        prim, feature = found.prim[rows], found.feature[rows]
        parts = self.rounded.scaled(points[rows]), *self.rounded.corners(prim)
        # Squares of what is far away would overflow.
        exponents = np.frexp(np.abs(parts[0]).max(axis=1, initial=0))[1]
        exponents = np.where(exponents > _FAR, exponents, 0)
        if exponents.any():
            parts = tuple(np.ldexp(part, -exponents[:, np.newaxis]) for part in parts)
        towards = _nearest(*parts)
        distance = np.full(len(points), np.inf)
        is_inside = np.zeros(len(points), np.bool_)
        if self.bvh.is_closed:
            is_inside[rows] = self._winds(local[rows], found.distance[rows])
        else:
            is_inside[rows] = np.einsum("ij,ij->i", towards, self._normals(prim, feature)) > 0
        with np.errstate(over="ignore"):
            distance[rows] = np.ldexp(np.linalg.norm(towards, axis=1), exponents)
            distance = self.rounded.unscaled(distance)
        return np.where(is_inside & (distance > 0), -distance, distance)

    def _winds(self, local: _Array, distance: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
        """Returns whether a closed surface winds around points of its coordinates."""
        target = self.asked(local)
        try:
            is_inside = np.asarray(self.bvh.winding_number(local).number != 0)
        except SurfaceError:
            return target.contains(local)
        if target is not self.bvh:
            # Rounding may move these to the other side.
            near = np.flatnonzero(distance <= _MOVED * np.abs(local).max(axis=1, initial=0) + _TINY)
            hits = target.crossings(local[near], _RIGHT)
            is_inside[near] = np.bincount(hits.ray, self.bvh.sides(hits, _RIGHT), len(near)) != 0
        return is_inside

    def _normals(self, prim: npt.NDArray[np.int64], feature: npt.NDArray[np.uint8]) -> _Array:
        """Returns the normals of triangles; of an edge or vertex, the sum of those of the triangles there, at a
        vertex multiplied by their angles."""
        a, b, c = self.rounded.corners(prim)
        normals = np.cross(b - a, c - a)
        shared = np.flatnonzero(feature != _FACE)
        if len(shared) == 0:
            return normals
        rows, prims = self.rounded.sharing(prim[shared], feature[shared])
        corners = np.stack(self.rounded.corners(prims), axis=1)
        at = self.rounded.vertices[self.rounded.faces[prim[shared], feature[shared] % 3]][rows]
        corner, row = np.linalg.norm(corners - at[:, np.newaxis], axis=2).argmin(axis=1), np.arange(len(prims))
        here, after, before = (corners[row, (corner + i) % 3] for i in range(3))
        across = np.cross(after - here, before - here)
        length = np.linalg.norm(across, axis=1)
        angle = np.arctan2(length, np.einsum("ij,ij->i", after - here, before - here))
        weight = np.where(feature[shared][rows] < 3, angle, 1.0) / np.where(length > 0, length, 1.0)
        normals[shared] = 0
        np.add.at(normals, shared[rows], across * weight[:, np.newaxis])
        return normals

    def encloses(self, points: _Array, progress: bool) -> npt.NDArray[np.bool_]:
        """Returns whether a ray from each point crosses a closed surface an odd number of times, or an open one
        is estimated to wind around it."""
        local = self.rounded.local(points)
        if not self.bvh.is_closed:
            return self.bvh.contains(local, rule="winding_estimate", progress=progress)
        return self.asked(local).contains(local, progress=progress)


def _nearest(points: _Array, a: _Array, b: _Array, c: _Array) -> _Array:
    """Returns the vectors from points to the closest points of triangles, in ``float64``."""

    def dot(one: _Array, other: _Array) -> _Array:
        return np.asarray(np.einsum("ij,ij->i", one, other))[:, np.newaxis]

    def ratio(one: _Array, other: _Array) -> _Array:
        return np.divide(one, other, out=np.zeros_like(one), where=other > 0)

    normals = np.cross(b - a, c - a)
    best = normals * ratio(dot(a - points, normals), dot(normals, normals))
    is_beside = ~np.any(normals, axis=1, keepdims=True)
    edges = []
    for start, end in ((a, b), (b, c), (c, a)):
        edge, ahead = end - start, start - points
        is_beside |= dot(np.cross(edge, best - ahead), normals) < 0
        edges.append(ahead + np.clip(ratio(-dot(ahead, edge), dot(edge, edge)), 0, 1) * edge)
    lengths = [dot(edge, edge) for edge in edges]
    nearest = np.take_along_axis(np.stack(edges), np.argmin(lengths, axis=0)[np.newaxis], axis=0)[0]
    return np.where(is_beside, nearest, best)


#: The surfaces of meshes by their ``id``, with the times when their parts were changed.
_kept: dict[int, tuple[weakref.ref[Any], tuple[int, ...], _Surface]] = {}


def _surface(name: str, mesh: Any) -> _Surface:
    """Returns the surface of a mesh as it is now."""
    if not hasattr(mesh, "GetPolys"):
        return _Surface(name, mesh)
    parts = mesh.GetPoints(), mesh.GetVerts(), mesh.GetLines(), mesh.GetPolys(), mesh.GetStrips()
    # Not that of the mesh itself: an array of answers changes it too.
    times = tuple(0 if part is None else part.GetMTime() for part in parts)
    key = id(mesh)
    kept = _kept.get(key)
    if kept is None or kept[0]() is not mesh or kept[1] != times:
        kept = weakref.ref(mesh, lambda _: _kept.pop(key, None)), times, _Surface(name, mesh)
        _kept[key] = kept
    return kept[2]


def _points_of(mesh: Any) -> _Array:
    """Returns the points of a data set."""
    if not hasattr(mesh, "points"):
        raise TypeError(f"mesh is a {type(mesh).__name__}; wanted is a data set of PyVista")
    return np.asarray(mesh.points, np.float64).reshape(-1, 3)


def ray_trace(
    mesh: Any,
    origin: Any,
    end_point: Any,
    first_point: bool = False,
    plot: bool = False,
    off_screen: Optional[bool] = None,
) -> tuple[_Array, npt.NDArray[np.int64]]:
    """Returns the points where a segment meets a mesh, in their order, and the numbers of their cells; with
    ``first_point=True``, the first point, of the shape (3,), and one number. The ends of the segment belong to it,
    though one at a vertex of a mesh in ``float64`` may miss, as vertices are rounded. ``plot=True`` shows them."""
    start, end = (
        np.array(_arrays.point(name, np.ravel(point)))[np.newaxis]
        for name, point in (("origin", origin), ("end_point", end_point))
    )
    found = _surface("mesh", mesh)
    points, prim = found.between(start, end, bool(first_point))
    if plot:
        import pyvista

        plotter: Any = pyvista.Plotter(off_screen=off_screen)
        plotter.add_mesh(mesh, label="Mesh")
        plotter.add_lines(np.concatenate([start, end]), color="b", label="Segment")
        if len(points):
            plotter.add_mesh(pyvista.PolyData(points), color="r", point_size=10, label="Intersections")
        plotter.add_legend()
        plotter.show()
    return points[0] if first_point and len(points) else points, found.cells[prim]


def multi_ray_trace(
    mesh: Any, origins: Any, directions: Any, first_point: bool = False, retry: bool = False
) -> tuple[_Array, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Returns the points where rays meet a mesh, ray by ray in their order, and the numbers of the rays and of the
    cells; with ``first_point=True``, the first point of each ray that hits. All faces must be triangles. ``retry`` has
    no effect."""
    if not getattr(mesh, "is_all_triangles", True):
        from pyvista import NotAllTrianglesError

        raise NotAllTrianglesError("mesh has faces that are no triangles; wanted is one such as mesh.triangulate()")
    starts, along, _ = _arrays.pairs(("origins", origins), ("directions", directions))
    if starts.ndim != 2:
        raise ValueError(f"origins has the shape {starts.shape}; wanted is (N, 3)")
    found = _surface("mesh", mesh)
    points, rays, prim = found.hits(starts.astype(np.float64), along.astype(np.float64), bool(first_point), np.inf)
    return points, rays, found.cells[prim]


def compute_implicit_distance(mesh: Any, surface: Any, inplace: bool = False) -> Any:
    """Returns a copy of a data set, or with ``inplace=True`` itself, with the signed distance of each point from a
    surface in the array of points ``"implicit_distance"``: negative inside of a closed surface, and behind an open
    one. ``inf`` stands for points that are not finite, for distances beyond ``float64`` in units of the size of the
    surface, and where the surface has no triangles."""
    distance = _surface("surface", surface).distances(_points_of(mesh))
    result = mesh if inplace else mesh.copy()
    result.point_data["implicit_distance"] = distance
    return result


def select_enclosed_points(
    mesh: Any,
    surface: Any,
    tolerance: float = 0.001,
    inside_out: bool = False,
    check_surface: bool = True,
    progress_bar: bool = False,
) -> Any:
    """Returns a copy of a data set with the array of points ``"SelectedPoints"``, of ``uint8``: 1 inside of a
    surface, or outside with ``inside_out=True``, and 0 elsewhere. Raises :class:`OpenSurfaceError` for an open
    surface unless ``check_surface=False``. ``tolerance`` has no effect."""
    real("tolerance", tolerance)
    found = _checked(surface, check_surface)
    selected = found.encloses(_points_of(mesh), bool(progress_bar)) != bool(inside_out)
    result = mesh.copy()
    result.point_data["SelectedPoints"] = selected.astype(np.uint8)
    return result


def select_interior_points(
    mesh: Any,
    surface: Any,
    *,
    method: str = "signed_distance",
    inside_out: bool = False,
    check_surface: bool = True,
    locator_tolerance: Optional[float] = None,
) -> Any:
    """Returns a shallow copy of a data set with the array of points ``"selected_points"``, which tells whether each is
    inside of a surface or, with ``inside_out=True``, outside. Points on the surface are both by
    ``method="signed_distance"``, which tells as :func:`compute_implicit_distance` does, and inside by
    ``method="cell_locator"``, which tells as :func:`select_enclosed_points` does. Raises :class:`OpenSurfaceError` for
    an open surface unless ``check_surface=False``. ``locator_tolerance`` has no effect."""
    choice("method", method, ("signed_distance", "cell_locator"))
    found = _checked(surface, check_surface)
    if locator_tolerance is not None:
        real("locator_tolerance", locator_tolerance)
        if method == "signed_distance":
            raise ValueError(
                f"locator_tolerance is {locator_tolerance}; locator_tolerance cannot be used with the signed_distance "
                'method, but with "cell_locator"'
            )
    points = _points_of(mesh)
    if method == "cell_locator" or len(found.cells) == 0:
        selected = found.encloses(points, False) != bool(inside_out)
    else:
        distance = found.distances(points)
        selected = distance >= 0 if inside_out else distance <= 0
    result = mesh.copy(deep=False)
    result.point_data["selected_points"] = selected
    result.set_active_scalars("selected_points")
    return result


def _checked(surface: Any, check_surface: bool) -> _Surface:
    """Returns a surface, which must be closed if it is to be checked."""
    found = _surface("surface", surface)
    if check_surface and not found.bvh.is_closed:
        raise OpenSurfaceError(
            "surface is not closed; wanted is a closed one, such as surface.fill_holes(size), or check_surface=False"
        )
    return found


class Accessor:
    """``mesh.estoc``: the functions of :mod:`estoc.pyvista` about a data set, which PyVista 0.48 and later have as soon
    as this module is imported."""

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset

    def __repr__(self) -> str:
        return f"<estoc.pyvista.Accessor of a {type(self._dataset).__name__}>"

    def ray_trace(self, *args: Any, **options: Any) -> tuple[_Array, npt.NDArray[np.int64]]:
        """See :func:`ray_trace`."""
        return ray_trace(self._dataset, *args, **options)

    def multi_ray_trace(
        self, *args: Any, **options: Any
    ) -> tuple[_Array, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """See :func:`multi_ray_trace`."""
        return multi_ray_trace(self._dataset, *args, **options)

    def compute_implicit_distance(self, *args: Any, **options: Any) -> Any:
        """See :func:`compute_implicit_distance`."""
        return compute_implicit_distance(self._dataset, *args, **options)

    def select_enclosed_points(self, *args: Any, **options: Any) -> Any:
        """See :func:`select_enclosed_points`."""
        return select_enclosed_points(self._dataset, *args, **options)

    def select_interior_points(self, *args: Any, **options: Any) -> Any:
        """See :func:`select_interior_points`."""
        return select_interior_points(self._dataset, *args, **options)


#: What was replaced: the class, the name, and the filter that was there.
_replaced: list[tuple[Any, str, Any]] = []


def install() -> None:
    """Puts these functions in the place of those filters that the installed PyVista has, so that ``mesh.ray_trace``
    and the others call estoc."""
    import pyvista

    uninstall()
    for owner, filters in (
        (pyvista.PolyDataFilters, (ray_trace, multi_ray_trace)),
        (pyvista.DataSetFilters, (compute_implicit_distance, select_enclosed_points, select_interior_points)),
    ):
        for function in filters:
            name = function.__name__
            if hasattr(owner, name):
                _replaced.append((owner, name, getattr(owner, name)))
                setattr(owner, name, function)


def uninstall() -> None:
    """Undoes :func:`install`."""
    while _replaced:
        owner, name, replaced = _replaced.pop()
        setattr(owner, name, replaced)


def _register() -> None:
    """Makes ``mesh.estoc`` of data sets, if PyVista is there and has such accessors."""
    try:
        import pyvista
    except ImportError:
        return
    if hasattr(pyvista, "register_dataset_accessor"):
        pyvista.register_dataset_accessor("estoc", pyvista.DataSet)(Accessor)


_register()
