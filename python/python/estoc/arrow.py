"""Rays and hits as Arrow data; needs pyarrow (``pip install estoc[arrow]``).

Rays are anything that hands out Arrow data by the C data interface: ``__arrow_c_array__``, such as a record
batch of pyarrow, or ``__arrow_c_stream__``, such as a table or a reader. They have one of these sets of columns, of ``float32`` or ``float64``, without nulls; other columns are left alone:

- ``ray``, fixed-size lists of 6 numbers, or of 8 with t_min and t_max; read where they are;
- ``origin`` and ``direction``, fixed-size lists of 3 numbers; read where they are;
- ``ox``, ``oy``, ``oz``, ``dx``, ``dy``, ``dz``; these are gathered into rows first, a batch at a time.

An array of fixed-size lists that is no column stands for ``ray``. What is handed out as an array is answered by
a record batch, and a stream by a reader that answers batch by batch when it is read. ``out=`` cannot be given:
answers are always new batches.

>>> import estoc, estoc.arrow, pyarrow
>>> bvh = estoc.Bvh(estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
>>> rays = pyarrow.record_batch({
...     "origin": pyarrow.array([[0.25, 0.5, 3], [5, 5, 3]], pyarrow.list_(pyarrow.float32(), 3)),
...     "direction": pyarrow.array([[0, 0, -1], [0, 0, -1]], pyarrow.list_(pyarrow.float32(), 3)),
... })
>>> estoc.arrow.closest_hit(bvh, rays).to_pydict()
{'t': [3.0, inf], 'prim': [0, -1], 'u': [0.25, 0.0], 'v': [0.5, 0.0]}
"""

from __future__ import annotations

from typing import Any, Callable, Iterator, Optional, Union

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ._bvh import Bvh
from ._scene import Scene

__all__ = ["all_hits", "any_hit", "closest_hit", "crossings"]

_SIX = ("ox", "oy", "oz", "dx", "dy", "dz")
_Engine = Union[Bvh, Scene]
_Rays = tuple[npt.NDArray[Any], Optional[npt.NDArray[Any]]]
# pyarrow has no types that mypy knows.
_Answers = Any


def closest_hit(engine: _Engine, rays: Any, **options: Any) -> _Answers:
    """Returns a row for each ray: ``t``, ``prim``, ``u`` and ``v``, and ``path`` for a scene. A ray that
    misses has ``prim == -1``. Options are those of :meth:`estoc.Bvh.closest_hit`."""

    def ask(given: _Rays, _: int) -> _Answers:
        return _batch(engine.closest_hit(*given, **options)._asdict())

    return _answered(rays, ask, options)


def any_hit(engine: _Engine, rays: Any, **options: Any) -> _Answers:
    """Returns a row for each ray: ``hit``."""
    return _answered(
        rays, lambda given, _: _batch({"hit": engine.any_hit(*given, **options)}), options
    )


def all_hits(engine: _Engine, rays: Any, **options: Any) -> _Answers:
    """Returns a row for each hit: ``ray``, the row of its ray, ``t``, ``prim``, ``u`` and ``v``, and ``path``
    for a scene. Options are those of :meth:`estoc.Bvh.all_hits`."""
    return _answered(
        rays, lambda given, first: _rows(engine.all_hits(*given, **options), first), options
    )


def crossings(engine: _Engine, rays: Any, **options: Any) -> _Answers:
    """Returns a row for each crossing of the surface, as :func:`all_hits`."""
    return _answered(
        rays, lambda given, first: _rows(engine.crossings(*given, **options), first), options
    )


def _rows(lists: Any, first: int) -> _Answers:
    columns = lists._asdict()
    del columns["offsets"]
    return _batch({"ray": lists.ray + first, **columns})


def _batch(columns: dict[str, npt.NDArray[Any]]) -> _Answers:
    """Returns arrays as a record batch, which refers to their memory."""
    return pa.record_batch({name: _column(array) for name, array in columns.items()})


def _column(array: npt.NDArray[Any]) -> Any:
    if array.ndim == 1:
        return pa.array(array)
    return pa.FixedSizeListArray.from_arrays(pa.array(array.reshape(-1)), array.shape[1])


def _answered(
    rays: Any, ask: Callable[[_Rays, int], _Answers], options: dict[str, Any]
) -> _Answers:
    """Answers what is handed out as one array or as a stream."""
    if options.get("out") is not None:
        raise TypeError(
            "out cannot be given with Arrow data, whose answers are always new batches; to write into arrays "
            "of your own, pass the rays as numpy arrays to the method of estoc.Bvh or estoc.Scene"
        )
    if hasattr(rays, "__arrow_c_array__"):
        return ask(_of_array(pa.array(rays)), 0)
    if not hasattr(rays, "__arrow_c_stream__"):
        raise TypeError(
            f"rays is a {type(rays).__name__}; wanted is Arrow data with __arrow_c_array__ or "
            "__arrow_c_stream__"
        )
    reader = pa.RecordBatchReader.from_stream(rays)
    nothing = pa.array([], pa.struct(list(reader.schema)))
    schema = ask(_of_array(nothing), 0).schema

    def batches() -> Iterator[Any]:
        first = 0
        for batch in reader:
            yield ask(_of_array(batch.to_struct_array()), first)
            first += len(batch)

    return pa.RecordBatchReader.from_batches(schema, batches())


def _of_array(array: Any) -> _Rays:
    """Returns the rays of an array of structs or of fixed-size lists."""
    if not pa.types.is_struct(array.type):
        return _numbers("rays", array, (6, 8)), None
    _refuse_nulls("rays", array)
    names = array.type.names
    # Those of a slice are slices.
    fields = dict(zip(names, array.flatten()))
    if "ray" in names:
        return _numbers("ray", fields["ray"], (6, 8)), None
    if "origin" in names and "direction" in names:
        return _numbers("origin", fields["origin"], (3,)), _numbers("direction", fields["direction"], (3,))
    missing = [name for name in _SIX if name not in names]
    if missing:
        raise ValueError(
            f"rays has the columns {', '.join(names)}; wanted is ray, or origin and direction, or "
            f"{', '.join(_SIX)} (without: {', '.join(missing)})"
        )
    columns = [_numbers(name, fields[name], ()) for name in _SIX]
    rows = np.empty((len(array), 6), np.result_type(*columns))
    for place, numbers in enumerate(columns):
        rows[:, place] = numbers
    return rows, None


def _numbers(name: str, array: Any, widths: tuple[int, ...]) -> npt.NDArray[Any]:
    """Returns the memory of a column of numbers, or, with widths, of fixed-size lists of them."""
    _refuse_nulls(name, array)
    element, width = array.type, 0
    if pa.types.is_fixed_size_list(element):
        element, width = element.value_type, element.list_size
    if (width not in widths if widths else width != 0) or element not in (pa.float32(), pa.float64()):
        lists = " or ".join(map(str, widths))
        wanted = f"fixed-size lists of {lists} numbers of" if widths else "numbers of"
        raise TypeError(f"the column {name} has the type {array.type}; wanted are {wanted} float or double")
    if not widths:
        return np.asarray(array.to_numpy(zero_copy_only=True))
    values = array.flatten()
    _refuse_nulls(name, values)
    return np.asarray(values.to_numpy(zero_copy_only=True)).reshape(-1, width)


def _refuse_nulls(name: str, array: Any) -> None:
    if array.null_count:
        nulls = "1 null" if array.null_count == 1 else f"{array.null_count} nulls"
        raise ValueError(
            f"the column {name} has {nulls}; a ray is made of numbers: drop such rows, or fill them with NaN for "
            "rays that miss"
        )
