"""Progress of long calls."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional, Union

#: ``True`` for a bar of tqdm, if that is installed, or a function that is called with the number of
#: items done and their total, in the calling thread, about twenty times a second.
Progress = Union[bool, Callable[[int, int], object]]


@contextmanager
def reporter(progress: Progress, what: str) -> Iterator[Optional[Callable[[int, int], Any]]]:
    """Gives the function that a call reports to."""
    if progress is False or progress is None:
        yield None
        return
    if callable(progress):
        yield progress
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
