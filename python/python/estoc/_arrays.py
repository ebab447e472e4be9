"""Arrays that callers pass: what they may be, and how they are refused."""

from __future__ import annotations

from typing import Any, Iterable, Optional

import numpy as np
import numpy.typing as npt

#: Anything that numpy makes an array of, and anything with ``__dlpack__`` whose memory the processor
#: can read, such as tensors of PyTorch and arrays of JAX.
ArrayLike = Any

#: The number of a device in ``__dlpack_device__`` that is the processor.
_CPU = 1


def as_array(name: str, array: ArrayLike) -> npt.NDArray[Any]:
    """Returns an array without a copy where there is a way."""
    if isinstance(array, np.ndarray):
        return np.asarray(array)
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        device, number = array.__dlpack_device__()
        if _number_of(device) != _CPU:
            raise TypeError(
                f"{name} is on another device (DLPack device {_number_of(device)}, number {number}); "
                "estoc runs on the processor: copy the array to its memory first, for example by "
                ".cpu()"
            )
        try:
            return np.from_dlpack(array)
        except (BufferError, RuntimeError) as error:
            raise TypeError(f"{name} cannot be read by DLPack: {error}") from error
    return np.asarray(array)


def _number_of(device: Any) -> int:
    """Returns the number of a device; libraries give a number or an enumeration of their own."""
    return int(getattr(device, "value", device))


def as_numbers(name: str, array: ArrayLike) -> npt.NDArray[Any]:
    """Returns an array of ``float32`` or ``float64`` in native byte order; other real numbers are
    converted to ``float64``."""
    found = as_array(name, array)
    dtype = found.dtype
    if dtype.kind == "f" and dtype.itemsize in (4, 8) and dtype.isnative and found.flags.aligned:
        return found
    if dtype.kind in "fiu":
        return found.astype(np.float32 if dtype == np.float32 else np.float64, copy=True)
    if found.size == 0 and dtype == object:
        return found.astype(np.float64)
    raise TypeError(
        f"{name} has the dtype {dtype} (its shape is {found.shape}); wanted are real numbers: "
        "float32, or float64, which is rounded to float32"
    )


def as_integers(name: str, array: ArrayLike) -> npt.NDArray[Any]:
    """Returns an array of integers of 32 or 64 bits in native byte order."""
    found = as_array(name, array)
    dtype = found.dtype
    if dtype.kind in "iu":
        if dtype.itemsize in (4, 8) and dtype.isnative and found.flags.aligned:
            return found
        return found.astype(np.int64)
    if found.size == 0 and not isinstance(array, np.ndarray):
        return found.astype(np.int64)
    raise TypeError(
        f"{name} has the dtype {dtype} (its shape is {found.shape}); wanted are integers, "
        "such as uint32"
    )


def check_columns(name: str, array: npt.NDArray[Any], widths: Iterable[int], wanted: str) -> None:
    """Refuses an array whose last axis has another length."""
    if array.ndim == 0 or array.shape[-1] not in tuple(widths):
        raise ValueError(f"{name} has the shape {array.shape}; wanted is {wanted}")


def columns(name: str, array: ArrayLike, wanted: str = "(..., 3)") -> npt.NDArray[Any]:
    """Returns an array of rows of three numbers."""
    found = as_numbers(name, array)
    check_columns(name, found, (3,), wanted)
    return found


def rays(
    rays: ArrayLike, directions: Optional[ArrayLike]
) -> tuple[npt.NDArray[Any], Optional[npt.NDArray[Any]], tuple[int, ...]]:
    """Returns rays, or origins and directions, and the shape of the answers."""
    if directions is None:
        found = as_numbers("rays", rays)
        check_columns(
            "rays",
            found,
            (6, 8),
            "(..., 6), where a row is ox, oy, oz, dx, dy, dz, or (..., 8) with t_min and t_max, "
            "or two arrays of the shape (..., 3), origins and directions",
        )
        return found, None, found.shape[:-1]
    origins = columns("origins", rays)
    found = columns("directions", directions)
    if origins.shape != found.shape:
        try:
            origins, found = np.broadcast_arrays(origins, found)
        except ValueError:
            raise ValueError(
                f"directions has the shape {found.shape}; wanted is {origins.shape}, that of "
                "origins, or one that numpy broadcasts to it"
            ) from None
    return origins, found, found.shape[:-1]


def target(
    name: str, out: Optional[npt.NDArray[Any]], shape: tuple[int, ...], dtype: type[np.generic]
) -> npt.NDArray[Any]:
    """Returns the array that answers are written to: ``out``, or a new one."""
    if out is None:
        return np.empty(shape, dtype)
    wanted = f"a contiguous, writable array of {np.dtype(dtype)} of the shape {shape}"
    if not isinstance(out, np.ndarray):
        raise TypeError(f"{name} is a {type(out).__name__}; wanted is {wanted}")
    if out.shape != shape:
        raise ValueError(f"{name} has the shape {out.shape}; wanted is {wanted}")
    if out.dtype != np.dtype(dtype) or not out.dtype.isnative:
        raise TypeError(f"{name} has the dtype {out.dtype}; wanted is {wanted}")
    flags = out.flags
    if not (flags.c_contiguous and flags.aligned and flags.writeable):
        raise ValueError(f"{name} is not contiguous or not writable; wanted is {wanted}")
    return out
