"""estoc under trimesh's names.

>>> import estoc.trimesh, trimesh
>>> estoc.trimesh.install()
>>> mesh = trimesh.creation.icosphere()
>>> mesh.ray.intersects_any([[0, 0, 5], [0, 5, 5]], [[0, 0, -1], [0, 0, -1]])
array([ True, False])
>>> estoc.trimesh.uninstall()

:func:`install` makes every mesh that is created afterwards use it, and what trimesh computes from rays and closest
points, such as thickness. Without it, :class:`RayMeshIntersector` and :class:`ProximityQuery` are objects of their own
for a mesh; they may be assigned to ``mesh.ray`` and ``mesh.nearest``, but ``mesh.copy()`` and whatever else creates
meshes do not take them over.

Vertices are moved by the middle of the mesh and rounded to ``float32``, and so are rays and points; answers are exact
for these numbers. Meshes whose size is very small or large are scaled by a power of two first, and so are directions:
any size of ``float64`` will do. Rounding moves origins up to 8 sizes of the mesh away by at most 2^-21 of the size in
each coordinate. Where an origin is farther away, the rays of the call are not rounded, which takes up to 3 times as
long; from 1e5 sizes on, much longer. Points may be as far away as 1e26 times the size. Locations are those where the
rays meet the planes of the triangles in ``float64``, as trimesh computes them.

With ``dtype=numpy.float64``, of :func:`install` or of an object, nothing is scaled, moved or rounded: vertices, rays and
points are those of trimesh, and answers are exact for them. So a ray from a point outside, however near, hits what is
ahead of that point. First hits take up to 1.6 times as long, closest points up to 1.4 times.

``multiple_hits=True`` gives all hits, those of a ray at exactly the same point as one: that of the triangle with the
lowest number. With ``hits="crossings"`` it gives the crossings of the surface instead: none where a ray touches the
surface from one side, as at an edge of a box, so that their number tells inside from outside.
"""

from __future__ import annotations

import sys
from copy import copy
from types import ModuleType
from typing import Any, Callable, Literal, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from ._arrays import as_numbers
from ._bvh import Bvh
from ._mesh import counted
from ._options import Quality, RealType, choice, is_float64, limit
from ._results import ClosestPoints
from ._rounded import Rounded, Tree
from ._scene import Scene

__all__ = ["ProximityQuery", "RayMeshIntersector", "install", "uninstall"]

#: What ``multiple_hits=True`` gives.
MultipleHits = Literal["touches", "crossings"]

#: The feature of a closest point on the face of its triangle.
_FACE = 6


#: trimesh takes products of lengths below 1e-13 for 0, so it is asked about triangles that are as much larger.
_LIFT = 2.0**60

#: Directions with a squared length between these are not scaled.
_SHORT, _LONG = 1e-60, 1e60


class _Rays(NamedTuple):
    origins: npt.NDArray[np.float64]
    directions: npt.NDArray[np.float64]
    target: Union[Bvh, Scene]
    """What is asked."""
    local: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
    """Origins and directions in its coordinates."""


class RayMeshIntersector:
    """Rays against a mesh of trimesh, with the names of ``trimesh.ray``.

    ``scale_to_box`` has no effect: meshes are scaled as far as they need it. ``threads`` is the number of
    threads, by default that of the processors. ``quality="best"`` builds longer, for faster rays. ``hits`` is what
    ``multiple_hits=True`` gives: ``"touches"`` or ``"crossings"``. It and ``dtype``, ``numpy.float32`` or
    ``numpy.float64``, are by default those of :func:`install`.

    >>> import estoc.trimesh, trimesh
    >>> box = trimesh.creation.box()
    >>> along_an_edge = [[0.5, 5, 0.5]], [[0, -1, 0]]
    >>> for hits in ("touches", "crossings"):
    ...     ray = estoc.trimesh.RayMeshIntersector(box, hits=hits)
    ...     print(ray, len(ray.intersects_id(*along_an_edge)[0]))
    <estoc.trimesh.RayMeshIntersector: 12 triangles, touches> 2
    <estoc.trimesh.RayMeshIntersector: 12 triangles, crossings> 0
    """

    def __init__(
        self,
        geometry: Any,
        scale_to_box: bool = True,
        *,
        threads: Optional[int] = None,
        quality: Quality = "balanced",
        hits: Optional[MultipleHits] = None,
        dtype: Optional[RealType] = None,
    ) -> None:
        self.mesh = geometry
        self._scale_to_box = scale_to_box
        self._settings = threads, quality, _installed_is_wide if dtype is None else is_float64(dtype)
        self._hits = _installed_hits if hits is None else _checked_hits(hits)
        self._tree = Tree(geometry, *self._settings)

    def _rays(
        self, ray_origins: Any, ray_directions: Any
    ) -> tuple[Rounded, _Rays]:
        origins = _checked("ray_origins", ray_origins)
        directions = _checked("ray_directions", ray_directions)
        if origins.shape != directions.shape:
            raise ValueError(
                f"ray_origins has the shape {origins.shape} and ray_directions {directions.shape}; "
                "wanted are equal shapes"
            )
        rounded = self._tree.rounded()
        if not rounded.is_wide:
            directions = _medium(directions)
        target, local = rounded.asked(origins)
        return rounded, _Rays(origins, directions, target, (local, directions))

    def intersects_location(
        self, ray_origins: Any, ray_directions: Any, multiple_hits: bool = True, **kwargs: Any
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Returns the points where rays hit the mesh, the indices of the rays and of the triangles."""
        triangles, rays, points = self.intersects_id(
            ray_origins, ray_directions, multiple_hits=multiple_hits, return_locations=True, **kwargs
        )
        return points, rays, triangles

    def intersects_id(
        self,
        ray_origins: Any,
        ray_directions: Any,
        multiple_hits: bool = True,
        max_hits: Optional[int] = None,
        return_locations: bool = False,
        **kwargs: Any,
    ) -> tuple[npt.NDArray[Any], ...]:
        """Returns the indices of the triangles that are hit and of their rays, ray by ray in order, and,
        if asked for, the points. ``max_hits`` is the largest number of hits of a ray."""
        max_hits = limit("max_hits", max_hits)
        rounded, given = self._rays(ray_origins, ray_directions)
        if multiple_hits:
            if self._hits == "crossings":
                lists = given.target.crossings(*given.local)
            else:
                lists = given.target.all_hits(*given.local, distinct=True)
            triangles, rays, u, v = lists.prim, lists.ray, lists.u, lists.v
            if max_hits is not None:
                rank = np.arange(len(rays)) - lists.offsets[rays]
                kept = rank < max_hits
                triangles, rays, u, v = triangles[kept], rays[kept], u[kept], v[kept]
        else:
            hits = given.target.closest_hit(*given.local)
            rays = np.flatnonzero(hits.prim >= 0)
            triangles, u, v = hits.prim[rays], hits.u[rays], hits.v[rays]
        if return_locations:
            lines = given.origins[rays], given.directions[rays]
            return triangles, rays, rounded.points(*lines, triangles, (u, v))
        return triangles, rays

    def intersects_first(
        self, ray_origins: Any, ray_directions: Any, **kwargs: Any
    ) -> npt.NDArray[np.int64]:
        """Returns the index of the first triangle that each ray hits, -1 for none."""
        _, given = self._rays(ray_origins, ray_directions)
        return given.target.closest_hit(*given.local).prim

    def intersects_any(
        self, ray_origins: Any, ray_directions: Any, **kwargs: Any
    ) -> npt.NDArray[np.bool_]:
        """Returns whether each ray hits the mesh."""
        _, given = self._rays(ray_origins, ray_directions)
        return given.target.any_hit(*given.local)

    def contains_points(self, points: Any) -> npt.NDArray[np.bool_]:
        """Returns whether each point is inside: exactly for a closed mesh, on whose surface points are
        inside, and by trimesh's own votes of rays for an open one."""
        given = _checked("points", points)
        rounded = self._tree.rounded()
        if len(rounded.bvh) == 0:
            return np.zeros(len(given), np.bool_)
        if rounded.bvh.is_closed:
            return rounded.bvh.contains(rounded.local(given))
        from trimesh.ray import ray_util

        votes = copy(self)
        votes._hits, votes._tree = "crossings", self._tree
        return np.asarray(ray_util.contains_points(votes, given))

    def __repr__(self) -> str:
        return f"<estoc.trimesh.RayMeshIntersector: {_size(self.mesh)}, {self._hits}>"

    def __deepcopy__(self, *args: Any) -> RayMeshIntersector:
        return self.__copy__()

    def __copy__(self, *args: Any) -> RayMeshIntersector:
        threads, quality, is_wide = self._settings
        how: dict[str, Any] = dict(threads=threads, quality=quality, dtype=np.float64 if is_wide else np.float32)
        return type(self)(self.mesh, self._scale_to_box, hits=self._hits, **how)


class _RayTriangle(RayMeshIntersector):
    """The same, with the arguments of ``trimesh.ray.ray_triangle.RayMeshIntersector``: their names and their
    order."""

    def __init__(self, mesh: Any, scale_to_box: bool = True, **options: Any) -> None:
        super().__init__(mesh, scale_to_box, **options)

    def intersects_id(  # type: ignore[override]
        self,
        ray_origins: Any,
        ray_directions: Any,
        return_locations: bool = False,
        multiple_hits: bool = True,
        **kwargs: Any,
    ) -> tuple[npt.NDArray[Any], ...]:
        """Returns what that of :class:`RayMeshIntersector` returns."""
        return super().intersects_id(
            ray_origins, ray_directions, multiple_hits, return_locations=return_locations, **kwargs
        )


class ProximityQuery:
    """Points near a mesh of trimesh, with the names of ``trimesh.proximity.ProximityQuery``.

    >>> import estoc.trimesh, trimesh
    >>> mesh = trimesh.creation.box()
    >>> mesh.nearest = estoc.trimesh.ProximityQuery(mesh)
    >>> mesh.nearest.signed_distance([[0, 0, 0.25], [0, 0, 2]])
    array([ 0.25, -1.5 ])
    """

    def __init__(
        self,
        mesh: Any,
        *,
        threads: Optional[int] = None,
        quality: Quality = "balanced",
        dtype: Optional[RealType] = None,
    ) -> None:
        self._mesh = mesh
        settings = threads, quality, _installed_is_wide if dtype is None else is_float64(dtype)
        ray = getattr(mesh, "ray", None)
        if isinstance(ray, RayMeshIntersector) and ray.mesh is mesh and ray._settings == settings:
            self._tree = ray._tree
        else:
            self._tree = Tree(mesh, *settings)

    def on_surface(
        self, points: Any
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Returns the closest point of the mesh to each point, its distance, and its triangle."""
        given = _checked("points", points)
        return self._on_surface(self._tree.rounded(), given)

    def _on_surface(
        self, rounded: Rounded, given: npt.NDArray[np.float64]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        found = rounded.bvh.closest_point(rounded.local(given))
        prim = found.prim
        if len(prim) and (prim < 0).any():
            raise ValueError(
                f"points[{int(np.argmax(prim < 0))}] has no closest point: it is not finite, or the mesh "
                "has no triangles"
            )
        if rounded.is_wide:
            point, distance = np.asarray(found.point, np.float64), np.asarray(found.distance, np.float64)
            return point, distance, self._facing(rounded, given, point, found)
        # The same point in float64, for the triangle as it is before rounding.
        from trimesh import triangles

        in_float64: Any = triangles.closest_point
        given = rounded.scaled(given)
        corners = np.stack(rounded.corners(prim), axis=1) * _LIFT
        closest = np.asarray(in_float64(corners, given * _LIFT)) / _LIFT
        prim = self._facing(rounded, given, closest, found)
        distance = np.linalg.norm(given - closest, axis=1)
        return rounded.unscaled(closest), rounded.unscaled(distance), prim

    @staticmethod
    def _facing(
        rounded: Rounded,
        points: npt.NDArray[np.float64],
        closest: npt.NDArray[np.float64],
        found: ClosestPoints,
    ) -> npt.NDArray[np.int64]:
        """Returns, of triangles that share the closest edge or vertex, the one that faces the point
        most, as trimesh does."""
        shared = np.flatnonzero(found.feature != _FACE)
        if len(shared) == 0:
            return found.prim
        rows, prims = rounded.sharing(found.prim[shared], found.feature[shared])
        a, b, c = rounded.corners(prims)
        normals = np.cross(b - a, c - a)
        length = np.linalg.norm(normals, axis=1)
        towards = (points - closest)[shared][rows]
        facing = np.einsum("ij,ij->i", normals, towards) / np.where(length > 0, length, 1.0)
        # By row, then by how much they face the point; of equals, that with the lowest number.
        order = np.lexsort((prims, -facing, rows))
        first = np.flatnonzero(np.diff(rows[order], prepend=-1))
        prim = found.prim.copy()
        prim[shared] = prims[order][first]
        return prim

    def vertex(self, points: Any) -> Any:
        """Returns the distance and the index of the closest vertex to each point."""
        return self._mesh.kdtree.query(points)

    def signed_distance(self, points: Any) -> npt.NDArray[np.float64]:
        """Returns the distance of each point from the surface, **positive inside**, as trimesh has it. For
        an open mesh, the sign is that of trimesh's own rule."""
        given = _checked("points", points)
        rounded = self._tree.rounded()
        # Without triangles, this says what is wrong.
        if len(rounded.bvh) == 0 or rounded.bvh.is_closed:
            _, distance, _ = self._on_surface(rounded, given)
            inside = rounded.bvh.contains(rounded.local(given))
            return np.asarray(np.where(inside, distance, -distance))
        from trimesh import proximity

        by_trimesh = _theirs(proximity, "signed_distance")
        return np.asarray(by_trimesh(self._mesh, given))

    def __repr__(self) -> str:
        return f"<estoc.trimesh.ProximityQuery: {_size(self._mesh)}>"


def _closest_point(mesh: Any, points: Any) -> tuple[npt.NDArray[Any], ...]:
    """Returns what ``trimesh.proximity.closest_point`` returns: the closest points of a mesh, their distances and
    their triangles."""
    return _nearest(mesh).on_surface(points)


def _signed_distance(mesh: Any, points: Any) -> npt.NDArray[np.float64]:
    """Returns what ``trimesh.proximity.signed_distance`` returns: distances, **positive inside**."""
    return _nearest(mesh).signed_distance(points)


def _nearest(mesh: Any) -> ProximityQuery:
    """Returns the query of a mesh; one that was created before :func:`install` keeps ours beside its own."""
    own = getattr(mesh, "nearest", None)
    if isinstance(own, ProximityQuery):
        return own
    kept = getattr(own, "_estoc", None)
    if not isinstance(kept, ProximityQuery):
        kept = ProximityQuery(mesh)
        if own is not None:
            own._estoc = kept
    return kept


def _size(mesh: Any) -> str:
    return counted(len(mesh.faces), "triangle", "triangles")


def _checked_hits(hits: MultipleHits) -> MultipleHits:
    return "touches" if choice("hits", hits, ("touches", "crossings")) == "touches" else "crossings"


def _checked(name: str, array: Any) -> npt.NDArray[np.float64]:
    """Returns rows of three numbers, as trimesh wants them."""
    found = as_numbers(name, array)
    if found.size == 0 and found.ndim == 1:
        found = found.reshape(0, 3)
    if found.ndim != 2 or found.shape[1] != 3:
        raise ValueError(f"{name} has the shape {found.shape}; wanted is (N, 3)")
    return np.asarray(found, dtype=np.float64)


def _medium(directions: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Returns directions of which those that ``float32`` could not hold are scaled by a power of two: t, which
    is in units of their lengths, is not asked for."""
    if len(directions) == 1:
        x, y, z = directions[0].tolist()
        if _SHORT < x * x + y * y + z * z < _LONG:
            return directions
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        squared = np.einsum("ij,ij->i", directions, directions)
        if squared.size == 0 or (squared.min() > _SHORT and squared.max() < _LONG):
            return directions
        rows = np.flatnonzero(~((squared > _SHORT) & (squared < _LONG)))
        largest = np.abs(directions[rows]).max(axis=1)
        exponents = np.where(np.isfinite(largest), np.frexp(largest)[1], 0)
        scaled = directions.copy()
        scaled[rows] = np.ldexp(directions[rows], -exponents[:, np.newaxis])
        return scaled


#: What was replaced: where it is kept by its name, the name, and what was there.
_replaced: list[tuple[dict[str, Any], str, Any]] = []

#: For a name that was not there.
_NOTHING = object()

#: What ``multiple_hits=True`` gives, and whether meshes are kept in ``float64``, where a constructor is not told.
_installed_hits: MultipleHits = "touches"
_installed_is_wide = False


def install(
    *, proximity: bool = True, hits: MultipleHits = "touches", dtype: RealType = np.float32
) -> None:
    """Makes trimesh use estoc: meshes that are created from now on for ``mesh.ray`` and, unless
    ``proximity=False``, for ``mesh.nearest``; and ``trimesh.proximity.closest_point``, ``signed_distance`` and what
    calls them, such as ``thickness`` and registration, for all meshes.

    ``trimesh.ray.has_embree`` is true then, and ``trimesh.ray.ray_pyembree`` has the same class, whether embreex is
    installed or not: so PyVista's ``multi_ray_trace`` does not need it. ``hits`` is what ``multiple_hits=True``
    gives, and ``dtype`` the type in which meshes are kept: see :class:`RayMeshIntersector`."""
    global _installed_hits, _installed_is_wide
    import trimesh.proximity
    import trimesh.ray
    from trimesh.ray import ray_triangle

    checked = _checked_hits(hits), is_float64(dtype)
    uninstall()
    _installed_hits, _installed_is_wide = checked
    _replace(vars(ray_triangle), "RayMeshIntersector", _RayTriangle)
    if trimesh.ray.has_embree:
        _replace(vars(trimesh.ray.ray_pyembree), "RayMeshIntersector", RayMeshIntersector)
    else:
        stand_in = ModuleType("trimesh.ray.ray_pyembree", "What embreex would do, by estoc.")
        vars(stand_in)["RayMeshIntersector"] = RayMeshIntersector
        _replace(vars(trimesh.ray), "ray_pyembree", stand_in)
        _replace(sys.modules, stand_in.__name__, stand_in)
        _replace(vars(trimesh.ray), "has_embree", True)
    if proximity:
        _replace(vars(trimesh.proximity), "ProximityQuery", ProximityQuery)
        _replace(vars(trimesh.proximity), "closest_point", _closest_point)
        _replace(vars(trimesh.proximity), "signed_distance", _signed_distance)


def uninstall() -> None:
    """Undoes :func:`install` for meshes that are created from now on."""
    global _installed_hits, _installed_is_wide
    _installed_hits, _installed_is_wide = "touches", False
    while _replaced:
        names, name, replaced = _replaced.pop()
        if replaced is _NOTHING:
            del names[name]
        else:
            names[name] = replaced


def _replace(names: dict[str, Any], name: str, new: Any) -> None:
    _replaced.append((names, name, names.get(name, _NOTHING)))
    names[name] = new


def _theirs(module: Any, name: str) -> Callable[..., Any]:
    """Returns a function of trimesh, even if it is replaced."""
    found: Callable[..., Any] = vars(module)[name]
    for names, known, replaced in _replaced:
        if names is vars(module) and known == name:
            found = replaced
    return found
