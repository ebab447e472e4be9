"""What rays tell of surfaces: thickness, ambient occlusion, sky view factors, visibility, grids of distances.

Functions take an :class:`~estoc.Bvh` or a :class:`~estoc.Scene`. They move no origin by an epsilon. Hits exactly
where a ray starts never count, so points may lie on the surface: its vertices do, and what is computed from
them does where nothing was rounded. Of points that were rounded, ``skip`` has the triangles, numbers or hits, and
hits of these do not count either. Rays that were spawned at hits start on the right side of the surface, too:

>>> import estoc, estoc.analysis
>>> corners = [[0, 0, 0], [8, 0, 0], [0, 8, 0], [0, 0, 8]]
>>> solid = estoc.Bvh(estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
>>> hits = solid.closest_hit([[9, 8, 7, -1, -1, -1], [0.1, 0.2, -9, 0, 0, 1]])
>>> outwards = solid.spawn(hits, solid.normals(hits))
>>> estoc.analysis.ambient_occlusion(solid, outwards.origins, outwards.directions, skip=outwards.skip)
array([0., 0.])

A vertex, or a point of level ground, needs nothing:

>>> corners = [[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]]
>>> ground = estoc.Bvh(estoc.Mesh(corners, [[0, 1, 2], [0, 2, 3]]))
>>> estoc.analysis.sky_view_factor(ground, [[0, 0, 0], [1, 1, -2]], "z").round(2).tolist()
[1.0, 0.05]

Rays are made and asked in blocks, so that a call needs some 100 MB beside its arguments and answers. Sampled
directions are a fixed set for each number of samples, the same on every machine: a spiral of golden angles on the
disc, raised to the hemisphere, whose density is proportional to the cosine. So the share of the rays is the
share of the light.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._arrays import ArrayLike
from ._bvh import Bvh
from ._errors import QueryError
from ._options import Cull, Rule, real, shown, whole
from ._picture import _direction
from ._progress import Progress, reporter
from ._results import Reals, SceneHits
from ._scene import Scene

__all__ = [
    "SignedDistanceGrid",
    "ambient_occlusion",
    "signed_distance_grid",
    "sky_view_factor",
    "thickness",
    "visibility",
]

#: What is asked.
Surface = Union[Bvh, Scene]

#: The number of rays or points of a block.
_BLOCK = 1 << 19

#: The least parameter of a hit that is not at the start of its ray.
_AFTER_START = float(np.finfo(np.float32).smallest_subnormal)

#: A little more than half of a segment.
_HALF = 0.5 + 2.0**-20

#: The largest number of points of a grid.
_MOST_POINTS = 1 << 40

#: The cosine and the sine of the golden angle, pi times 3 - sqrt(5), and of its half.
_GOLDEN = -0.7373688780783199, 0.6754902942615236
_HALF_GOLDEN = 0.3623748900804801, 0.9320324238132276


class SignedDistanceGrid(NamedTuple):
    """Signed distances on a grid, such as marching cubes takes."""

    values: Reals
    """The distances, negative inside, of the shape (X, Y, Z)."""
    axes: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]
    """The coordinates of the points along x, y and z."""


def thickness(
    surface: Surface,
    points: ArrayLike,
    inward: ArrayLike,
    *,
    max_thickness: float = np.inf,
    cull: Cull = "front",
    skip: Optional[ArrayLike] = None,
    threads: Optional[int] = None,
    progress: Progress = False,
) -> Reals:
    """Returns how far it is from points of the surface straight through the material, in the directions
    ``inward``, which are against the normals and may have any length. ``inf`` where there is no other side, or
    none within ``max_thickness``; NaN for points and directions that are not finite.

    The other side is the first one that a ray leaves by its back, so that it does not matter on which side of
    the surface a point was rounded to. For meshes that are not oriented, ``cull=None`` takes the first triangle
    that is hit, and ``skip`` leaves out that of the point.

    A ray is longer than the wall where it meets the other side at an angle:
    :meth:`~estoc.Bvh.sphere_thickness` has the diameter of the largest sphere that fits.

    >>> import estoc, estoc.analysis
    >>> corners = [[0, 0, 0], [8, 0, 0], [0, 8, 0], [0, 0, 8]]
    >>> solid = estoc.Bvh(estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
    >>> estoc.analysis.thickness(solid, [[1, 1, 0], [2, 3, 0]], [0, 0, 1])
    array([6., 3.], dtype=float32)
    """
    _check(surface)
    starts, dirs, shape = _arrays.pairs(("points", points), ("inward", inward))
    starts, dirs, most = starts.reshape(-1, 3), dirs.reshape(-1, 3), real("max_thickness", max_thickness)
    skipped = _skipped("skip", surface, skip, shape)
    found = np.empty(len(starts), surface._real)

    def ask(block: slice, part: Progress) -> None:
        ahead = _unit(dirs[block])
        found[block] = surface.closest_hit(
            starts[block],
            ahead,
            t_min=_AFTER_START,
            t_max=most,
            cull=cull,
            skip=skipped.of(block),
            threads=threads,
            progress=part,
        ).t
        found[block][~_finite(starts[block], ahead)] = np.nan

    _in_blocks("thickness", len(starts), 1, progress, ask)
    return found.reshape(shape)


def ambient_occlusion(
    surface: Surface,
    points: ArrayLike,
    normals: ArrayLike,
    *,
    samples: int = 64,
    max_distance: float = np.inf,
    skip: Optional[ArrayLike] = None,
    threads: Optional[int] = None,
    progress: Progress = False,
) -> npt.NDArray[np.float64]:
    """Returns the share of the hemisphere around the normal that is occluded at each point, weighted by the
    cosine: 0 in the open, 1 where nothing is seen but the surface, within ``max_distance``. Normals have any
    length; NaN for points and normals that are not finite, and for a normal of 0.

    >>> import estoc, estoc.analysis
    >>> corners = [[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0], [0, -9, 0], [0, 9, 0], [0, 9, 99], [0, -9, 99]]
    >>> mesh = estoc.Mesh(corners, [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]])  # a wall on the ground
    >>> estoc.analysis.ambient_occlusion(estoc.Bvh(mesh), [[0.01, 0, 0], [0, 0, 99]], [0, 0, 1]).round(1)
    array([0.5, 0. ])
    """
    return _occluded("ambient_occlusion", surface, points, normals, samples, max_distance, skip, threads, progress)


def sky_view_factor(
    surface: Surface,
    points: ArrayLike,
    up: Union[str, ArrayLike],
    *,
    samples: int = 256,
    skip: Optional[ArrayLike] = None,
    threads: Optional[int] = None,
    progress: Progress = False,
) -> npt.NDArray[np.float64]:
    """Returns the share of the sky that a level place at each point sees, weighted by the cosine of the angle
    from ``up``, which is an axis such as ``"z"`` or a direction: 1 in the open. NaN for points that are not
    finite.

    A place at the foot of a long wall sees half of the sky:

    >>> import estoc, estoc.analysis
    >>> wall = [[0, -9e5, 0], [0, 9e5, 0], [0, 9e5, 9e5], [0, -9e5, 9e5]]
    >>> wall = estoc.Bvh(estoc.Mesh(wall, [[0, 1, 2], [0, 2, 3]]))
    >>> float(estoc.analysis.sky_view_factor(wall, [1, 0, 0], "z").round(2))
    0.5
    """
    axis: Any = _direction(up)
    towards: npt.NDArray[np.float64] = np.array(_arrays.point("up", axis))
    if not np.isfinite(_unit(towards)).all():
        raise ValueError(f"up is {towards.tolist()}; it must be finite and not 0")
    return 1 - _occluded("sky_view_factor", surface, points, towards, samples, np.inf, skip, threads, progress)


def visibility(
    surface: Surface,
    viewpoints: ArrayLike,
    targets: ArrayLike,
    *,
    skip: Optional[ArrayLike] = None,
    target_skip: Optional[ArrayLike] = None,
    threads: Optional[int] = None,
    progress: Progress = False,
) -> npt.NDArray[np.bool_]:
    """Returns whether each viewpoint sees each target, as an array of the shape (M, N) for points of the shapes
    (M, 3) and (N, 3): whether no triangle has a point in common with the segment between them, without its ends.
    A point that is not finite sees nothing and is not seen.

    Segments are those of ``float64``, not rounded. For points on the surface that were computed, ``skip`` and
    ``target_skip`` have the triangles of the viewpoints and of the targets. Triangles have two sides and no
    inside: two vertices of a convex solid see each other through it. Which sides face each other tell the normals.

    >>> import estoc, estoc.analysis
    >>> fence = estoc.Bvh(estoc.Mesh([[0, -1, 0], [0, 1, 0], [0, 0, 2]], [[0, 1, 2]]))
    >>> estoc.analysis.visibility(fence, [[-3, 0, 1], [0, 0, 2]], [[3, 0, 1], [3, 0, 4], [-3, 0, 0]])
    array([[False,  True,  True],
           [ True,  True,  True]])
    """
    _check(surface)
    starts, ends = _arrays.columns("viewpoints", viewpoints), _arrays.columns("targets", targets)
    shape = starts.shape[:-1] + ends.shape[:-1]
    scene = _unrounded(surface)
    in_scene = isinstance(scene, Scene)
    ours = _skipped("skip", surface, skip, starts.shape[:-1], in_scene)
    theirs = _skipped("target_skip", surface, target_skip, ends.shape[:-1], in_scene)
    starts, ends = (points.reshape(-1, 3).astype(np.float64, copy=False) for points in (starts, ends))
    found = np.empty(len(starts) * len(ends), np.bool_)

    def ask(pairs: slice, part: Progress) -> None:
        i, j = np.divmod(np.arange(pairs.start, pairs.stop), len(ends))
        first = starts[i]
        with np.errstate(over="ignore", invalid="ignore"):
            along = ends[j] - first
        # The difference is rounded, so that a ray does not end where the segment does: two start at its ends, and
        # pass its middle.
        is_free = ~_any(scene, first, along, ours.of(i), t_max=_HALF, threads=threads, progress=part)
        is_free &= _finite(first, along)
        rows = np.flatnonzero(is_free)
        last = j[rows]
        is_free[rows] = ~_any(scene, ends[last], -along[rows], theirs.of(last), t_max=_HALF, threads=threads)
        found[pairs] = is_free

    _in_blocks("visibility", len(found), 1, progress, ask)
    return found.reshape(shape)


def signed_distance_grid(
    surface: Surface,
    spacing: float,
    *,
    padding: Optional[float] = None,
    rule: Rule = "parity",
    threads: Optional[int] = None,
    progress: Progress = False,
) -> SignedDistanceGrid:
    """Returns the signed distance, **negative inside**, at the points of a grid with this spacing over the bounds,
    which are widened by ``padding`` on all sides, by default as much as the spacing.

    ``rule`` is that of :meth:`~estoc.Bvh.signed_distance`; for a scene it is ``"parity"``, and inside is
    where :meth:`~estoc.Scene.contains` says so. Raises :class:`~estoc.SurfaceError` if there is no inside by the
    rule, and :class:`~estoc.QueryError` if there are no triangles.

    >>> import estoc, estoc.analysis
    >>> corners = [[0, 0, 0], [8, 0, 0], [0, 8, 0], [0, 0, 8]]
    >>> solid = estoc.Bvh(estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
    >>> values, (x, y, z) = estoc.analysis.signed_distance_grid(solid, 1, padding=2)
    >>> values.shape, float(x[3]), float(values[3, 3, 4])
    ((13, 13, 13), 1.0, -1.0)
    """
    _check(surface)
    step = real("spacing", spacing)
    if not 0 < step < np.inf:
        raise ValueError(f"spacing is {shown(spacing)}; it must be finite and greater than 0")
    more = step if padding is None else real("padding", padding)
    if not 0 <= more < np.inf:
        raise ValueError(f"padding is {shown(padding)}; it must be finite and not negative")
    if isinstance(surface, Scene) and rule != "parity":
        raise ValueError(f'rule is {shown(rule)}; for a scene it must be "parity"')
    bounds = surface.bounds
    if bounds is None:
        raise QueryError("there are no triangles, so the grid has no bounds")
    low, high = bounds.astype(np.float64)
    with np.errstate(over="ignore"):
        counts = np.ceil((high - low + 2 * more) / step) + 1
    if not np.prod(counts) <= _MOST_POINTS:
        raise ValueError(f"spacing is {shown(spacing)}; it must be so large that the grid has at most 2**40 points")
    shape = tuple(int(count) for count in counts)
    x, y, z = (start - more + step * np.arange(count) for start, count in zip(low, shape))
    values = np.empty(shape, surface._real)
    flat = values.reshape(-1)

    def ask(block: slice, part: Progress) -> None:
        i, j, k = np.unravel_index(np.arange(block.start, block.stop), shape)
        points = np.stack([x[i], y[j], z[k]], axis=-1)
        if isinstance(surface, Bvh):
            surface.signed_distance(points, rule=rule, threads=threads, progress=part, out=flat[block])
        else:
            inside = surface.contains(points, threads=threads)
            surface.distance(points, threads=threads, progress=part, out=flat[block])
            np.negative(flat[block], out=flat[block], where=inside & (flat[block] > 0))

    _in_blocks("signed_distance_grid", values.size, 1, progress, ask)
    return SignedDistanceGrid(values, (x, y, z))


def _occluded(
    name: str,
    surface: Surface,
    points: ArrayLike,
    normals: ArrayLike,
    samples: int,
    max_distance: float,
    skip: Optional[ArrayLike],
    threads: Optional[int],
    progress: Progress,
) -> npt.NDArray[np.float64]:
    """Returns the share of the directions around the normals that hit the surface."""
    _check(surface)
    wanted = "a whole number from 1 to 1,000,000"
    number = whole("samples", samples, wanted)
    if not 1 <= number <= 1_000_000:
        raise ValueError(f"samples is {number}; it must be {wanted}")
    # One normal of all points has one set of directions.
    above = _arrays.columns("normals", normals)
    common = _around(_unit(above[np.newaxis]), number) if above.ndim == 1 else None
    starts, above, shape = _arrays.pairs(("points", points), ("normals", above))
    starts, above, most = starts.reshape(-1, 3), above.reshape(-1, 3), real("max_distance", max_distance)
    skipped = _skipped("skip", surface, skip, shape)
    found = np.empty(len(starts), np.float64)

    def ask(block: slice, part: Progress) -> None:
        first = starts[block, np.newaxis]
        dirs = _around(_unit(above[block]), number) if common is None else common
        of_rows = skipped.of((block, np.newaxis))
        blocked = _any(surface, first, dirs, of_rows, t_max=most, threads=threads, progress=part)
        found[block] = np.count_nonzero(blocked, axis=-1) / number
        found[block][~_finite(first, dirs).all(axis=-1)] = np.nan

    _in_blocks(name, len(starts), number, progress, ask)
    return found.reshape(shape)


def _any(
    surface: Surface, origins: npt.NDArray[Any], directions: npt.NDArray[Any], skip: Any, **how: Any
) -> npt.NDArray[np.bool_]:
    """Returns whether rays meet the surface after their start, other triangles than those that they skip."""
    return surface.any_hit(origins, directions, open_ends=True, skip=skip, **how)


def _in_blocks(
    name: str, count: int, each: int, progress: Progress, ask: Callable[[slice, Progress], None]
) -> None:
    """Asks about items in blocks of a number of rays; each item has so many."""
    step = max(1, _BLOCK // max(1, each))
    with reporter(progress, name) as report:
        for start in range(0, count, step):

            def told(done: int, _: int, before: int = start * each) -> None:
                if report is not None:
                    report(before + done, count * each)

            ask(slice(start, min(start + step, count)), False if report is None else told)


def _around(normals: npt.NDArray[Any], samples: int) -> npt.NDArray[np.float64]:
    """Returns sampled directions around normals of length 1, of the shape (N, samples, 3)."""
    # Two directions across, by Duff et al., "Building an orthonormal basis, revisited", 2017.
    x, y, z = normals.T.astype(np.float64)
    sign = np.copysign(1.0, z)
    a = -1 / (sign + z)
    b = x * y * a
    first = np.stack([1 + sign * x * x * a, sign * b, -sign * x], axis=-1)
    second = np.stack([b, sign + y * y * a, -y], axis=-1)
    right, ahead, up = _hemisphere(samples)
    dirs: npt.NDArray[np.float64] = right * first[:, np.newaxis]
    dirs += ahead * second[:, np.newaxis]
    dirs += up * normals[:, np.newaxis]
    return dirs


@lru_cache(maxsize=8)
def _hemisphere(samples: int) -> npt.NDArray[np.float64]:
    """Returns directions around z, of the shape (3, samples, 1). Sums, products, quotients and square roots are
    the same on every machine, cosines are not; so angles are added by products of cosines and sines."""
    x, y = (np.array([start]) for start in _HALF_GOLDEN)
    cos, sin = _GOLDEN
    while len(x) < samples:
        x, y = np.append(x, x * cos - y * sin), np.append(y, x * sin + y * cos)
        cos, sin = cos * cos - sin * sin, 2 * cos * sin
    share = (np.arange(samples) + 0.5) / samples
    radius = np.sqrt(share)
    found = np.stack([radius * x[:samples], radius * y[:samples], np.sqrt(1 - share)])
    found.flags.writeable = False
    return np.asarray(found[..., np.newaxis])


def _unit(vectors: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Returns vectors with the length 1, with NaN for those that have no direction."""
    with np.errstate(invalid="ignore", divide="ignore"):
        scaled = np.asarray(vectors / np.abs(vectors).max(axis=-1, keepdims=True), np.float64)
        squares = scaled * scaled
        return np.asarray(scaled / np.sqrt(squares[..., :1] + squares[..., 1:2] + squares[..., 2:]))


def _finite(points: npt.NDArray[Any], directions: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    return np.asarray(np.isfinite(points).all(axis=-1) & np.isfinite(directions).all(axis=-1))


def _unrounded(surface: Surface) -> Surface:
    """Returns the surface, or a scene of it, which does not round rays in ``float64``."""
    if isinstance(surface, Scene) or surface.mesh.dtype == np.float64:
        return surface
    scene = Scene(threads=surface.threads)
    scene.add(surface)
    return scene


class _Skipped(NamedTuple):
    """The triangle that the rays of each point skip."""

    prim: Optional[npt.NDArray[np.int64]]
    path: Optional[npt.NDArray[np.int64]]
    """The paths to them in a scene."""

    def of(self, rows: Any) -> Any:
        """Returns those of some points, as questions take them."""
        if self.prim is None or self.path is None:
            return None if self.prim is None else self.prim[rows]
        prim: Any = self.prim[rows]
        return SceneHits(prim, prim, prim, prim, self.path[rows])


def _skipped(
    name: str, surface: Surface, skip: Optional[Any], shape: tuple[int, ...], in_scene: bool = False
) -> _Skipped:
    """Returns what the rays of points of a shape skip, also where a tree is asked in a scene of its own."""
    if skip is None:
        return _Skipped(None, None)
    if isinstance(surface, Scene) and not isinstance(skip, SceneHits):
        raise TypeError(f"{name} is {shown(skip)}; wanted are estoc.SceneHits, whose triangles have a path")
    found = _arrays.as_integers(name, getattr(skip, "prim", skip))
    prim = _arrays.for_each(name, found, shape).reshape(-1).astype(np.int64, copy=False)
    if isinstance(surface, Scene):
        return _Skipped(prim, np.broadcast_to(skip.path, (*shape, skip.path.shape[-1])).reshape(len(prim), -1))
    wrong = (prim < -1) | (prim >= len(surface))
    if wrong.any():
        raise IndexError(f"{name} has the number {prim[wrong][0]}; the mesh has {len(surface):,} triangles")
    return _Skipped(prim, np.minimum(prim, 0)[:, np.newaxis] if in_scene else None)


def _check(surface: Surface) -> None:
    if not isinstance(surface, (Bvh, Scene)):
        raise TypeError(f"surface is a {type(surface).__name__}; wanted is an estoc.Bvh or an estoc.Scene")
