"""How questions are asked: what those about rays and about points have in common."""

from __future__ import annotations

from typing import Any, Callable, Iterator, NamedTuple, Optional, TypeVar

import numpy as np
import numpy.typing as npt

from . import _arrays, _estoc
from ._options import thread_count
from ._progress import Progress, reporter
from ._results import targets

_Answers = TypeVar("_Answers", bound=tuple[Any, ...])


class Given(NamedTuple):
    """What is asked about."""

    ask: Callable[..., Any]
    """The compiled function."""
    arguments: tuple[Any, ...]
    """Its arguments, but for the progress."""
    shape: tuple[int, ...]
    """The shape of the answers."""
    progress: Progress
    """What is told the progress."""

    @property
    def arrays(self) -> Iterator[Any]:
        """What is read while it is asked: the arguments, and what tuples among them hold."""
        for argument in self.arguments:
            yield from argument if isinstance(argument, tuple) else (argument,)


class Questions:
    """What a tree or a scene is asked by."""

    __slots__ = ("_threads",)
    _threads: Optional[int]
    #: Whether answers are relative to an origin inside, and so in ``float64`` outside.
    _has_origin: bool
    #: The type of numbers of answers.
    _real: type[np.floating[Any]]

    @property
    def _target(self) -> _estoc._Target:
        """The compiled object that answers."""
        raise NotImplementedError

    def _thread_count(self, threads: Optional[int]) -> int:
        return thread_count(self._threads if threads is None else threads)

    def _numbers(
        self, name: str, given: Given, dtype: Any, out: Optional[npt.NDArray[Any]]
    ) -> npt.NDArray[Any]:
        """Returns one number for each item, in ``out`` or a new array."""
        answers = _arrays.target(out, given.shape, dtype, given.arrays)
        with reporter(given.progress, name) as report:
            given.ask(self._target, name, (*given.arguments, report), answers)
        return answers

    def _records(
        self, name: str, given: Given, kind: type[_Answers], out: Optional[_Answers]
    ) -> _Answers:
        """Returns one answer of a kind for each item, in ``out`` or new arrays."""
        target = self._target
        depth = _estoc.path_len(target)
        answers = targets(kind, out, given.shape, given.arrays, depth, self._real, self._has_origin)
        fields: Any = answers
        with reporter(given.progress, name) as report:
            given.ask(target, name, (*given.arguments, report), fields._asdict())
        return answers

    def _lists(self, name: str, given: Given, kind: Callable[..., _Answers]) -> _Answers:
        """Returns any number of answers of a kind for each item."""
        with reporter(given.progress, name) as report:
            return kind(*given.ask(self._target, name, (*given.arguments, report), None))
