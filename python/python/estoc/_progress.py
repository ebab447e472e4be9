"""Progress of long calls."""

from __future__ import annotations

from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Callable, Iterator, Optional, Union

import numpy as np

from ._options import shown

#: ``True`` for a bar of tqdm, if that is installed, or a function that is called with the number of
#: items done and their total, in the calling thread, about twenty times a second.
Progress = Union[bool, Callable[[int, int], object]]


#: The function that a call reports to, if there is one.
Reporter = Optional[Callable[[int, int], Any]]

_SILENT: AbstractContextManager[Reporter] = nullcontext()


def reporter(progress: Progress, what: str) -> AbstractContextManager[Reporter]:
    """Gives the function that a call reports to."""
    return _SILENT if progress is False else _reporter(progress, what)


@contextmanager
def _reporter(progress: Progress, what: str) -> Iterator[Reporter]:
    if callable(progress):
        yield progress
        return
    if progress is not None and not isinstance(progress, (bool, np.bool_)):
        raise TypeError(
            f"progress is {shown(progress)}; it must be True, False, or a function of the number of "
            "items that are done and of all"
        )
    if not progress:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(desc=what, unit_scale=True) as bar:

        def report(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield report
