"""Scenes of placed meshes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NoReturn, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _arrays, _estoc
from ._arrays import ArrayLike
from ._bvh import Bvh
from ._errors import SceneError
from ._mesh import counted
from ._options import ALL_BITS, mask_bits, shown, thread_count, whole
from ._picture import Pictures
from ._points import PointQuestions
from ._progress import Progress
from ._rays import RayQuestions
from ._results import SceneClosestPoints, SceneHitLists, SceneHits, ScenePrimLists


class Scene(
    RayQuestions[SceneHits, SceneHitLists],
    PointQuestions[SceneClosestPoints, ScenePrimLists],
    Pictures,
):
    """Trees and scenes that are placed by affine matrices, any number of times.

    It answers questions about rays and points exactly, as those about the triangles of the points ``M v``
    for corners ``v``. Rays in ``float64`` are not rounded. A query is about the scene as it is when it starts;
    a scene that is placed in another is a copy. Scenes are not pickled: pickle the trees and the matrices.

    >>> import estoc, numpy as np
    >>> tile = estoc.Bvh(estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> scene = estoc.Scene()
    >>> for x in (0.0, 5.0):
    ...     matrix = np.eye(4)
    ...     matrix[0, 3] = x
    ...     number = scene.add(tile, matrix)
    >>> hits = scene.closest_hit([[5.25, 0.25, 1, 0, 0, -1], [3, 0.25, 1, 0, 0, -1]])
    >>> hits.placement, hits.prim
    (array([ 1, -1]), array([ 0, -1]))
    """

    __slots__ = ("_core", "_origins", "__weakref__")
    _has_origin = False
    _real = np.float32
    _hits = SceneHits
    _hit_lists = SceneHitLists
    _closest_points = SceneClosestPoints
    _prim_lists = ScenePrimLists
    _core: _estoc.Scene

    def __init__(self, *, threads: Optional[int] = None) -> None:
        thread_count(threads)
        self._core = _estoc.Scene()
        self._origins: dict[int, Optional[npt.NDArray[np.float64]]] = {}
        self._threads = threads

    @property
    def _target(self) -> _estoc.SceneSnapshot:
        return self._core.snapshot()

    def add(
        self,
        item: Union[Bvh, Scene],
        matrix: Optional[ArrayLike] = None,
        *,
        mask: int = ALL_BITS,
        name: Optional[str] = None,
        reverse: bool = False,
    ) -> int:
        """Places a tree or a scene, and returns the number of the placement.

        ``matrix`` has the shape (3, 4) or (4, 4), with the translation in its last column; where things
        are by default. It may mirror and shear; :class:`~estoc.SceneError` is raised if it has no inverse. It is
        about the coordinates of the world of a tree whose mesh has an origin, to which it takes that origin: to the
        nearest ``float64``s.
        ``reverse`` exchanges front and back sides.
        """
        if not isinstance(item, (Bvh, Scene)):
            raise TypeError(
                f"item is a {type(item).__name__}; wanted is an estoc.Bvh or an estoc.Scene"
            )
        if name is not None and not isinstance(name, str):
            raise TypeError(f"name is {shown(name)}; wanted is a str or None")
        origin = item.mesh.origin if isinstance(item, Bvh) and item.mesh.has_origin else None
        number = self._core.add(item._core, _rows(matrix, origin), mask_bits(mask), name, bool(reverse))
        self._origins[number] = origin
        return number

    def set_matrix(self, number: int, matrix: ArrayLike) -> None:
        """Moves a placement."""
        self._core.set_matrix(_placement(number), _rows(matrix, self._origins.get(number)))

    def remove(self, number: int) -> None:
        """Removes a placement. Its number may be given to another."""
        self._core.remove(_placement(number))

    def name(self, number: int) -> Optional[str]:
        """Returns the name of a placement."""
        return self._core.name(_placement(number))

    @property
    def face_count(self) -> int:
        """The number of triangles, each counted as often as it is placed."""
        return self._target.face_count()

    @property
    def bounds(self) -> Optional[npt.NDArray[np.float64]]:
        """The corners of a box around everything, which is slightly too large; ``None`` if there is
        nothing."""
        corners = self._target.bounds()
        return None if corners is None else np.array(corners)

    def contains(
        self,
        points: ArrayLike,
        *,
        threads: Optional[int] = None,
        progress: Progress = False,
        out: Optional[npt.NDArray[np.bool_]] = None,
    ) -> npt.NDArray[np.bool_]:
        """Returns whether each point is inside at least one closed mesh, or on one, exactly. Meshes that
        are not closed are left out; :class:`~estoc.SurfaceError` is raised if none is closed. Points that
        are not finite are outside."""
        given = self._points(points, threads, progress)
        return self._numbers("contains", given, np.bool_, out)

    def _triangles(
        self, name: str, given: ArrayLike, shape: tuple[int, ...]
    ) -> npt.NDArray[Any]:
        if not isinstance(given, (SceneHits, SceneHitLists)):
            raise TypeError(f"{name} is {shown(given)}; wanted are estoc.SceneHits, whose triangles have a path")
        prim = _arrays.for_each(name, given.prim, shape)
        path = np.broadcast_to(_paths(given.path), (*shape, _estoc.MAX_DEPTH))
        return np.concatenate([prim[..., np.newaxis], path], axis=-1)

    def _paint(self, to: Optional[Any], arguments: tuple[Any, ...]) -> npt.NDArray[np.uint8]:
        if to is not None:
            raise ValueError("to measures distances of one mesh, so it is not for scenes")
        return _estoc.paint_scene(self._core, arguments)

    def _is_empty(self) -> bool:
        return self.face_count == 0

    def __len__(self) -> int:
        return self._core.placement_count()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "an estoc.Scene cannot be pickled or copied: pickle the trees and the matrices of its "
            "placements instead, and add them to a new estoc.Scene"
        )

    def __repr__(self) -> str:
        triangles = self.face_count
        placements = counted(len(self), "placement", "placements")
        return f"<estoc.Scene: {placements}, {counted(triangles, 'triangle', 'triangles')}>"


def _placement(number: int) -> int:
    """Returns the number of a placement, which may exist."""
    found = whole("number", number, "the number of a placement, which add returned")
    if not 0 <= found <= ALL_BITS:
        raise SceneError(f"the scene has no placement {found}")
    return found


def _rows(
    matrix: Optional[ArrayLike], origin: Optional[npt.NDArray[np.float64]]
) -> list[list[float]]:
    """Returns the three rows of an affine matrix, for points relative to an origin."""
    found = np.eye(4) if matrix is None else np.asarray(_arrays.as_numbers("matrix", matrix), dtype=np.float64)
    if found.shape not in ((3, 4), (4, 4)):
        raise ValueError(
            f"matrix has the shape {found.shape}; wanted is (3, 4) or (4, 4), with the translation in "
            "the last column"
        )
    if found.shape == (4, 4) and not np.array_equal(found[3], [0, 0, 0, 1]):
        raise ValueError(
            f"matrix has the last row {found[3].tolist()}; wanted is [0, 0, 0, 1], as placements are "
            "affine"
        )
    rows: list[list[float]] = found[:3].tolist()
    if origin is not None and np.isfinite(found).all():
        for row in rows:
            terms = [Fraction(a) * Fraction(b) for a, b in zip(row, [*origin.tolist(), 1.0])]
            try:
                row[3] = float(sum(terms))
            except OverflowError:
                row[3] = math.inf
    return rows


def _paths(path: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Returns paths with as many numbers as the longest that a scene may have."""
    missing = [(0, 0)] * (path.ndim - 1) + [(0, _estoc.MAX_DEPTH - path.shape[-1])]
    return np.pad(path, missing, constant_values=-1)
