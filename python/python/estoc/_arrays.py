"""Arrays that callers pass: what they may be, and how they are refused."""

from __future__ import annotations

from typing import Any, Iterable, Optional, Protocol, Sequence, Union

import numpy as np
import numpy.typing as npt

# At once: a first use of np.ma imports it, by a lock that a child would wait for if a thread holds it at the fork.
from numpy.ma import MaskedArray, getmaskarray

from . import _estoc
from ._options import shown


class SupportsArray(Protocol):
    """What makes an array of numpy of itself."""

    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...


class SupportsDLPack(Protocol):
    """Arrays and tensors of other libraries, whose memory can be shared."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __dlpack_device__(self) -> Any: ...


#: Numbers that numpy makes an array of, and anything with ``__dlpack__`` whose memory the processor
#: can read, such as tensors of PyTorch and arrays of JAX. ``npt.ArrayLike`` has strings, too, and lacks lists of whole
#: numbers and others, such as ``[[0, 0, 0], [1.5, 0, 0]]``.
ArrayLike = Union[float, list[Any], tuple[Any, ...], range, memoryview, SupportsArray, SupportsDLPack]

#: The numbers of devices in ``__dlpack_device__`` whose memory the processor can read: its own, memory that CUDA
#: or ROCm has pinned for it, and memory that CUDA manages.
_READABLE = (1, 3, 11, 13)


def as_array(name: str, array: ArrayLike) -> npt.NDArray[Any]:
    """Returns an array without a copy where there is a way."""
    if type(array) is np.ndarray:
        return array
    if array is None or isinstance(array, (str, bytes, dict, set)):
        raise TypeError(f"{name} is {shown(array)}; wanted is an array of numbers")
    if isinstance(array, MaskedArray):
        masked = int(np.count_nonzero(getmaskarray(array)))
        if masked:
            raise ValueError(
                f"{name} has {masked:,} masked number{'' if masked == 1 else 's'}; wanted are numbers "
                "without a mask: fill them first, for example by .filled(numpy.nan)"
            )
        return np.asarray(array.data)
    if isinstance(array, np.ndarray):
        return np.asarray(array)
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        return _by_dlpack(name, array)
    try:
        return np.asarray(array)
    except MemoryError:
        raise
    except ValueError as error:
        if "inhomogeneous" in str(error):
            raise ValueError(f"{name} has rows of different lengths; wanted is one length of all") from None
        raise ValueError(f"{name} is no array of numbers: {error}") from error
    except Exception as error:
        raise TypeError(f"{name} is no array of numbers: {_told(error)}") from error


class _Plainly:
    """An array that is asked for its memory without keywords, which libraries from before 2024 do not know.
    numpy tries them first; the refusal of Open3D has all numbers in it, and takes 25 times as long as a query."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __dlpack__(self, **_: Any) -> Any:
        return self._array.__dlpack__()

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


def _by_dlpack(name: str, array: Any) -> npt.NDArray[Any]:
    try:
        device, number = array.__dlpack_device__()
        # Libraries give a number or an enumeration of their own.
        kind = int(getattr(device, "value", device))
        if kind in _READABLE:
            try:
                return np.from_dlpack(_Plainly(array))
            except BufferError:
                # Of memory that is read-only, for which keywords are needed.
                return np.from_dlpack(array)
    except MemoryError:
        raise
    except Exception as error:
        raise TypeError(f"{name} cannot be read by DLPack: {_told(error)}") from error
    raise TypeError(
        f"{name} is on another device (DLPack device {kind}, number {number}); estoc runs on the "
        "processor: copy the array to its memory first, for example by .cpu()"
    )


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def is_aligned(array: npt.NDArray[Any]) -> bool:
    """Returns whether all elements are at multiples of their size, as the compiled part wants them. numpy is content
    with less where the system is: with multiples of 4 for numbers of 8 bytes on 32-bit x86."""
    if not array.flags.aligned or array.dtype.alignment == array.itemsize:
        return array.flags.aligned
    address = array.__array_interface__["data"][0]
    return _estoc.is_aligned(address, array.shape, array.strides, array.itemsize)


def as_numbers(name: str, array: ArrayLike) -> npt.NDArray[Any]:
    """Returns an array of ``float32`` or ``float64`` in native byte order; other real numbers are
    converted to the nearest ``float64``."""
    found = as_array(name, array)
    dtype = found.dtype
    if dtype.kind == "f" and dtype.itemsize in (4, 8) and dtype.isnative and is_aligned(found):
        return found
    if dtype.kind in "fiu":
        with np.errstate(over="ignore"):
            return found.astype(np.float32 if dtype == np.float32 else np.float64, copy=True)
    if found.size == 0 and dtype == object:
        return found.astype(np.float64)
    raise TypeError(
        f"{name} has the dtype {dtype} (its shape is {found.shape}); wanted are real numbers: "
        "float32, or float64, which is rounded to float32"
    )


def point(name: str, array: ArrayLike) -> list[float]:
    """Returns the three coordinates of a point."""
    found = as_numbers(name, array)
    if found.shape != (3,):
        raise ValueError(f"{name} has the shape {found.shape}; wanted is (3,)")
    return [float(x) for x in found]


def as_integers(name: str, array: ArrayLike) -> npt.NDArray[Any]:
    """Returns an array of integers of 32 or 64 bits in native byte order."""
    found = as_array(name, array)
    dtype = found.dtype
    if dtype.kind in "iu":
        if dtype.itemsize in (4, 8) and dtype.isnative and is_aligned(found):
            return found
        return found.astype(np.int64)
    if found.size == 0 and not isinstance(array, np.ndarray):
        return found.astype(np.int64)
    raise TypeError(
        f"{name} has the dtype {dtype} (its shape is {found.shape}); wanted are integers, "
        "such as uint32"
    )


def as_bits(name: str, array: ArrayLike) -> npt.NDArray[Any]:
    """Returns an array of integers of 32 bits without a sign."""
    found = as_integers(name, array)
    if found.dtype != np.uint32 and found.size and not 0 <= found.min() <= found.max() <= 0xFFFF_FFFF:
        raise ValueError(f"{name} has the number {found.min() if found.min() < 0 else found.max()}; wanted are 32 bits")
    return found


def check_columns(name: str, array: npt.NDArray[Any], widths: Iterable[int], wanted: str) -> None:
    """Refuses an array whose last axis has another length."""
    if array.ndim == 0 or array.shape[-1] not in (lengths := tuple(widths)):
        # A list without rows does not tell their length.
        empty = f"; none are numpy.empty((0, {lengths[0]}))" if array.shape == (0,) else ""
        raise ValueError(f"{name} has the shape {array.shape}; wanted is {wanted}{empty}")


def columns(name: str, array: ArrayLike, wanted: str = "(..., 3)") -> npt.NDArray[Any]:
    """Returns an array of rows of three numbers."""
    found = as_numbers(name, array)
    check_columns(name, found, (3,), wanted)
    return found


#: Rays, or origins, directions, and bounds, as the compiled part takes them.
Rays = tuple[npt.NDArray[Any], Optional[npt.NDArray[Any]], Optional[npt.NDArray[Any]]]


def rays(rays: ArrayLike, directions: Optional[ArrayLike]) -> tuple[Rays, tuple[int, ...]]:
    """Returns rays, or origins and directions, the bounds of each if they have some, and the shape of the answers."""
    if directions is None:
        found = as_numbers("rays", rays)
        if found.ndim and found.shape[-1] == 3:
            raise ValueError(
                f"rays has the shape {found.shape}, and directions is missing; wanted are two arrays of the shape "
                "(..., 3), origins and directions, or one of the shape (..., 6)"
            )
        check_columns(
            "rays",
            found,
            (6, 8),
            "(..., 6), where a row is ox, oy, oz, dx, dy, dz, or (..., 8) with t_min and t_max, "
            "or two arrays of the shape (..., 3), origins and directions",
        )
        if found.shape[-1] == 6:
            return (found, None, None), found.shape[:-1]
        return (found[..., :3], found[..., 3:6], found[..., 6:]), found.shape[:-1]
    origins, dirs, shape = pairs(("origins", rays), ("directions", directions))
    return (origins, dirs, None), shape


def for_each(name: str, array: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Returns an array with one number for each ray."""
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(
            f"{name} has the shape {array.shape}; wanted is one number, or {shape}, that of the rays, or a shape that "
            "numpy broadcasts to it"
        ) from None


def pairs(
    first: tuple[str, ArrayLike], second: tuple[str, ArrayLike]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], tuple[int, ...]]:
    """Returns two named arrays of rows of three numbers, the second one with the shape of the first, and that
    shape without its last axis."""
    one, other = columns(*first), columns(*second)
    if one.shape != other.shape:
        try:
            one, other = np.broadcast_arrays(one, other)
        except ValueError:
            raise ValueError(
                f"{second[0]} has the shape {other.shape}; wanted is {one.shape}, that of "
                f"{first[0]}, or one that numpy broadcasts to it"
            ) from None
    return one, other, other.shape[:-1]


#: The name of an answer, its shape and its type.
Wanted = tuple[str, tuple[int, ...], type[np.generic]]


def target(
    out: Optional[npt.NDArray[Any]],
    shape: tuple[int, ...],
    dtype: type[np.generic],
    given: Iterable[Any],
) -> npt.NDArray[Any]:
    """Returns the array that answers to given arguments are written to: ``out``, or a new one."""
    if out is None:
        return np.empty(shape, dtype)
    return _targets([out], [("out", shape, dtype)], given)[0]


def targets(
    out: Any, kind: str, wanted: Sequence[Wanted], given: Iterable[Any]
) -> list[npt.NDArray[Any]]:
    """Returns the arrays that answers to given arguments are written to: those of ``out``, a tuple of the
    type ``kind``."""
    if not isinstance(out, (tuple, list)) or len(out) != len(wanted):
        items = f" of {len(out)}" if isinstance(out, (tuple, list)) else ""
        names = ", ".join(name for name, _, _ in wanted)
        raise TypeError(
            f"out is a {type(out).__name__}{items}; wanted is an estoc.{kind} of {len(wanted)} arrays: {names}"
        )
    return _targets(out, [(f"out.{name}", *rest) for name, *rest in wanted], given)


def _targets(
    out: Sequence[Any], wanted: Sequence[Any], given: Iterable[Any]
) -> list[npt.NDArray[Any]]:
    found = [_target(array, *how) for array, how in zip(out, wanted)]
    # Answers are written while rays are read: memory of both would be rays that nobody asked for.
    taken = [("the arrays that are asked about", array) for array in given if isinstance(array, np.ndarray)]
    for array, (name, _, _), passed in zip(found, wanted, out):
        if passed is None:
            continue
        for other, memory in taken:
            if np.may_share_memory(array, memory):
                raise ValueError(f"{name} shares memory with {other}; wanted is memory of its own")
        taken.append((name, array))
    return found


def _target(
    out: Any, name: str, shape: tuple[int, ...], dtype: type[np.generic]
) -> npt.NDArray[Any]:
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
    if not (flags.c_contiguous and is_aligned(out) and flags.writeable):
        raise ValueError(f"{name} is not contiguous, not aligned or not writable; wanted is {wanted}")
    return out
