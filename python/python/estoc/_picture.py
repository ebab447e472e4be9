"""Pictures of meshes and scenes, and PNG files."""

from __future__ import annotations

from typing import Any, Optional, Union
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from . import _estoc
from ._arrays import ArrayLike, as_array, point
from ._errors import PictureError
from ._options import PathLike, Shade, file_path, real, shown, thread_count
from ._progress import Progress, reporter

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class Pictures:
    """Pictures of a mesh, a tree or a scene."""

    __slots__ = ()

    def _paint(self, to: Optional[Any], arguments: tuple[Any, ...]) -> npt.NDArray[np.uint8]:
        raise NotImplementedError

    def _is_empty(self) -> bool:
        return len(self) == 0  # type: ignore[arg-type]

    def render(
        self,
        path: Optional[PathLike] = None,
        *,
        width: int = 1280,
        height: int = 800,
        shade: Shade = "ao",
        samples: int = 16,
        eye: Optional[ArrayLike] = None,
        at: Optional[ArrayLike] = None,
        up: Union[None, str, ArrayLike] = None,
        fov: Optional[float] = None,
        ortho: Optional[float] = None,
        to: Optional[Any] = None,
        legend: bool = True,
        threads: Optional[int] = None,
        progress: Progress = False,
    ) -> npt.NDArray[np.uint8]:
        """Paints a picture by ray queries, writes it to a PNG file if ``path`` is given, and returns its
        pixels: sRGB and opacity, of the shape (height, width, 4).

        It is the picture of the command ``estoc render`` with the same options, byte for byte, for any
        number of threads. Without ``eye``, a view is chosen: objects are seen from outside, interiors from
        inside. ``at`` is the point that the eye looks at, ``up`` a direction or an axis such as ``"z"`` or
        ``"-z"`` (``"y"`` by default), and ``fov`` the vertical field of view in degrees. With ``ortho``
        instead, the view is orthographic: rays are parallel, start in the plane through the eye, and see this
        height, in the units of the coordinates, with one scale at every depth. ``shade`` is
        ``"ao"``, ``"depth"``, ``"normal"``, ``"facing"``, ``"id"``, ``"material"``, ``"heat"``,
        ``"thickness"``, ``"sphere-thickness"`` or ``"distance"``, measured from the tree ``to``, for one mesh,
        and ``"ao"``, ``"depth"``, ``"normal"``, ``"facing"``, ``"id"``, ``"sphere-thickness"`` or ``"instance"`` for a scene, which has no
        materials in Python. A mesh in ``float64`` is seen by rays in ``float32`` from an origin near it, and has no
        picture ``"heat"``. ``samples`` is the number of rays through each pixel, which smooth edges, from
        1 to 4096. A mesh builds a tree for each picture; a tree need not. ``progress`` counts the views that
        are tried, where one from inside is chosen, and then the tiles of the picture.

        Raises :class:`~estoc.PictureError` for a view, a size or a shade that cannot be, or if there is
        nothing to paint, and :class:`~estoc.FileError` if the file cannot be written.

        >>> import estoc
        >>> mesh = estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> mesh.render(width=64, height=48, shade="normal", samples=1).shape
        (48, 64, 4)

        A square of 2 by 2 in a picture of 4 by 4 in 40 by 40 pixels:

        >>> square = estoc.Mesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])
        >>> how = dict(width=40, height=40, shade="normal", samples=1)
        >>> pixels = square.render(eye=[0, 0, 9], at=[0, 0, 0], ortho=4, **how)
        >>> int((pixels == pixels[20, 20]).all(axis=2).sum())
        400
        """
        if not isinstance(shade, str) or shade not in _estoc.SHADES:
            raise PictureError(f"shade is {shown(shade)}; it must be one of {', '.join(_estoc.SHADES)}")
        if self._is_empty():
            raise PictureError("there is nothing to paint")
        columns, rows = _whole("width", width, 8192), _whole("height", height, 8192)
        rays = _whole("samples", samples, 4096)
        number = thread_count(getattr(self, "_threads", None) if threads is None else threads)
        points = [_maybe("eye", eye), _maybe("at", at), _direction(up)]
        if fov is not None and ortho is not None:
            raise PictureError("a view has fov or ortho, not both; leave out one of them")
        seen = [None if fov is None else real("fov", fov), None if ortho is None else real("ortho", ortho)]
        file = None if path is None else file_path("path", path)
        if (shade == "distance") != (to is not None):
            raise PictureError('to must be given for the shade "distance", and for no other')
        if file is not None:
            # Before the tree of a mesh is built.
            _estoc.check_output(file)
        with reporter(progress, "render") as report:
            pixels = self._paint(
                to,
                ([columns, rows], shade, rays, bool(legend), points, seen, file, number, report),
            )
        return pixels.reshape(rows, columns, 4)

    def _repr_png_(self) -> Optional[bytes]:
        """Returns a small picture, which notebooks show; ``None`` if there is nothing to paint. That of a mesh or a
        tree is painted once."""
        from ._bvh import Bvh
        from ._mesh import Mesh

        if self._is_empty():
            return None
        if not isinstance(self, (Bvh, Mesh)):
            return _small_png(self)
        mesh = self if isinstance(self, Mesh) else self.mesh
        found = _shown_in_notebooks.get(mesh)
        if found is None:
            # Threads that are here at once paint the same picture.
            found = _small_png(Bvh(mesh, quality="fast") if self is mesh else self)
            _shown_in_notebooks[mesh] = found
        return found


#: The pictures of meshes that notebooks have shown.
_shown_in_notebooks: WeakKeyDictionary[Any, bytes] = WeakKeyDictionary()


def _small_png(thing: Pictures) -> bytes:
    """Returns a picture by rays from the eye only, as notebooks ask for it without being told."""
    pixels = thing.render(width=400, height=250, shade="facing", samples=2)
    return _estoc.png_bytes(400, 250, pixels.tobytes())


def write_png(path: PathLike, pixels: ArrayLike) -> None:
    """Writes an array of ``uint8`` as a PNG file: grey values of the shape (height, width), or sRGB, of
    the shape (height, width, 3), with opacity (height, width, 4). An existing file is replaced once the
    new one is complete.

    Raises :class:`~estoc.PictureError` if a side is 0 or above 8192.

    >>> import estoc, numpy as np, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "grey.png")
    ...     estoc.write_png(path, np.full((8, 8), 128, np.uint8))
    ...     open(path, "rb").read(4)
    b'\\x89PNG'
    """
    found = as_array("pixels", pixels)
    if found.dtype != np.uint8:
        raise TypeError(f"pixels has the type {found.dtype}; wanted is uint8, from 0 to 255")
    if found.ndim >= 2:
        _whole("the height of pixels", found.shape[0], 8192)
        _whole("the width of pixels", found.shape[1], 8192)
    if found.ndim == 2:
        found = np.repeat(found[..., np.newaxis], 3, axis=2)
    if found.ndim != 3 or found.shape[2] not in (3, 4):
        raise ValueError(
            f"pixels has the shape {found.shape}; wanted is (height, width), (height, width, 3) or "
            "(height, width, 4)"
        )
    height, width, channels = found.shape
    if channels == 3:
        opaque = np.full((height, width, 1), 255, np.uint8)
        found = np.concatenate([found, opaque], axis=2)
    _estoc.write_png(file_path("path", path), width, height, found.tobytes())


def _whole(name: str, value: Any, most: int) -> int:
    """Returns a whole number from 1 to a largest one."""
    try:
        number = int(value)
    except (OverflowError, TypeError, ValueError):
        number = 0
    if not 1 <= number <= most or number != value:
        raise PictureError(f"{name} is {shown(value)}; it must be a whole number from 1 to {most}")
    return number


def _maybe(name: str, value: Optional[ArrayLike]) -> Optional[list[float]]:
    return None if value is None else point(name, value)


def _direction(up: Union[None, str, ArrayLike]) -> Optional[list[float]]:
    if not isinstance(up, str):
        return _maybe("up", up)
    axis = _AXES.get(up[-1:].lower())
    if axis is None or up[:-1] not in ("", "+", "-"):
        raise ValueError(f'up is {up!r}; it must be an axis such as "y", "z" or "-z", or a direction')
    return [-x if x and up.startswith("-") else x for x in axis]
