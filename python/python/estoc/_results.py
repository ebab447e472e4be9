"""Answers as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class Hits(NamedTuple):
    """One hit or none for each ray. Every array has the shape of the rays without their last axis.

    A ray that misses has ``prim == -1``, and only that tells it: the ``t`` of a hit that is very far
    away may be infinite too.
    """

    t: npt.NDArray[np.float32]
    """The parameter along the ray, in units of the direction's length; ``inf`` for a miss."""
    prim: npt.NDArray[np.int64]
    """The number of the triangle; -1 for a miss."""
    u: npt.NDArray[np.float32]
    """The weight of the triangle's second vertex; 0 for a miss."""
    v: npt.NDArray[np.float32]
    """The weight of the triangle's third vertex; 0 for a miss."""

    @property
    def is_hit(self) -> npt.NDArray[np.bool_]:
        """Whether each ray hits anything."""
        return np.asarray(self.prim >= 0)


class HitLists(NamedTuple):
    """Any number of hits for each ray: those of ray ``i``, in its order, are at
    ``offsets[i]:offsets[i + 1]`` of the other arrays. Rays count in C order."""

    offsets: npt.NDArray[np.int64]
    """The index of each ray's first hit, followed by the number of all hits."""
    t: npt.NDArray[np.float32]
    """The parameters along the rays."""
    prim: npt.NDArray[np.int64]
    """The numbers of the triangles."""
    u: npt.NDArray[np.float32]
    """The weights of the second vertices."""
    v: npt.NDArray[np.float32]
    """The weights of the third vertices."""

    @property
    def ray(self) -> npt.NDArray[np.int64]:
        """The index of the ray of each hit."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


def shaped(shape: tuple[int, ...], array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns the array in this shape, without a copy."""
    return array.reshape(shape)
