"""Arguments of calls that are no arrays: what they may be, and how they are refused by name."""

from __future__ import annotations

import operator
import os
import sys
from typing import Any, Literal, Optional, Sequence, Union

import numpy as np

PathLike = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

#: How much work goes into a tree.
Quality = Literal["fast", "balanced", "best"]

#: The type of the coordinates of a mesh.
RealType = Union[type[np.floating[Any]], type[float], "np.dtype[np.floating[Any]]", Literal["float32", "float64"]]

#: The sides whose hits do not count.
Cull = Optional[Literal["back", "front", "none"]]

#: How to decide whether a point is inside.
Rule = Literal["parity", "winding_number", "winding_estimate"]

#: What becomes of triangles that cannot be.
BadFaces = Literal["reject", "skip"]

#: What the colours of a picture are.
Shade = Literal[
    "ao",
    "depth",
    "normal",
    "facing",
    "id",
    "material",
    "heat",
    "thickness",
    "sphere-thickness",
    "distance",
    "instance",
]

#: The largest number of threads, which is that of the command.
MOST_THREADS = 1024

#: The largest mask of placements and rays.
ALL_BITS = 0xFFFF_FFFF


def whole(name: str, value: Any, wanted: str) -> int:
    """Returns a whole number: an ``int``, or one of numpy."""
    if type(value) is int:
        return value
    if not isinstance(value, (bool, np.bool_)):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError(f"{name} is {shown(value)}; it must be {wanted}")


def thread_count(threads: Optional[int], name: str = "threads") -> int:
    """Returns the number of threads that a caller wants, 0 for all processors."""
    if threads is None:
        return 0
    wanted = f"a whole number from 1 to {MOST_THREADS}, or None for all processors"
    number = whole(name, threads, wanted)
    if not 1 <= number <= MOST_THREADS:
        raise ValueError(f"{name} is {number}; it must be {wanted}")
    return number


def mask_bits(mask: int) -> int:
    """Returns a mask of 32 bits."""
    wanted = f"a whole number from 0 to {ALL_BITS:#x}"
    number = whole("mask", mask, wanted)
    if not 0 <= number <= ALL_BITS:
        raise ValueError(f"mask is {number}; it must be {wanted}")
    return number


def limit(name: str, value: Optional[int]) -> Optional[int]:
    """Returns a limit of a number of hits, if there is one."""
    if value is None:
        return None
    wanted = "at least 0, or None for no limit"
    number = whole(name, value, f"a whole number, {wanted}")
    if number < 0:
        raise ValueError(f"{name} is {number}; it must be {wanted}")
    # No call has so many hits.
    return min(number, sys.maxsize)


def is_one(value: Any) -> bool:
    """Returns whether a value is no array, which tensors that numpy does not know are."""
    if type(value) in (int, float):
        return True
    return np.ndim(value) == 0 and (isinstance(value, np.ndarray) or not hasattr(value, "__dlpack__"))


def real(name: str, value: Any) -> float:
    """Returns one number."""
    if type(value) is float:
        return value
    if np.ndim(value) == 0 and not isinstance(value, (str, bytes, bool, np.bool_)):
        try:
            return float(value)
        except OverflowError:
            return float("-inf" if value < 0 else "inf")
        except (TypeError, ValueError):
            pass
    raise TypeError(f"{name} is {shown(value)}; it must be one real number")


def choice(name: str, value: Any, names: Sequence[str], otherwise: str = "") -> str:
    """Returns one of some names."""
    if isinstance(value, str) and value in names:
        return str(value)
    quoted = [f'"{known}"' for known in names] + ([otherwise] if otherwise else [])
    error = ValueError if isinstance(value, str) else TypeError
    raise error(f"{name} is {shown(value)}; it must be {', '.join(quoted[:-1])} or {quoted[-1]}")


def is_float64(dtype: Any, otherwise: str = "") -> bool:
    """Returns whether the type of the coordinates of a mesh is ``float64``, and not ``float32``."""
    try:
        # For numpy, None is float64.
        found = None if dtype is None else np.dtype(dtype)
    except TypeError:
        found = None
    if found == np.float32 or found == np.float64:
        return bool(found == np.float64)
    error = ValueError if isinstance(dtype, str) else TypeError
    raise error(f"dtype is {shown(dtype)}; it must be numpy.float32{',' if otherwise else ' or'} numpy.float64{otherwise}")


def flag(name: str, value: Any) -> bool:
    """Returns a truth value."""
    if type(value) is bool:
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    raise TypeError(f"{name} is {shown(value)}; it must be True or False")


def culled(cull: Optional[str]) -> Optional[str]:
    """Returns the name of the sides whose hits do not count, if there are any."""
    return None if cull is None else choice("cull", cull, ("back", "front", "none"), "None")


def file_path(name: str, path: PathLike) -> str:
    """Returns the path of a file."""
    try:
        return os.fsdecode(path)
    except TypeError:
        raise TypeError(f"{name} is {shown(path)}; wanted is a str or an os.PathLike") from None


def shown(value: Any) -> str:
    """Returns a value for a message: as Python writes it where that is short, else its type."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of the shape {value.shape}"
    try:
        text = repr(value)
    except Exception:
        text = ""
    kind = type(value).__name__
    return text if text and len(text) <= 60 and "\n" not in text else f"a value of the type {kind}"
