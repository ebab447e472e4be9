"""How questions are asked: what those about rays and about points have in common."""

from __future__ import annotations

from typing import Any, Callable, Optional, TypeVar, Union

import numpy as np
import numpy.typing as npt

from . import _arrays, _estoc
from ._options import thread_count
from ._progress import Progress, reporter
from ._results import targets

#: The arguments of a compiled function, but for the progress, and the shape of the answers.
Given = tuple[list[Any], tuple[int, ...]]

_Answers = TypeVar("_Answers", bound=tuple[Any, ...])


class Questions:
    """What a tree or a scene is asked by.

    ``ask`` is a compiled function of the target, of what is given and of ``options``, and ``name`` that of
    the question, for the progress.
    """

    __slots__ = ("_threads",)
    _threads: Optional[int]

    @property
    def _target(self) -> Union[_estoc.Bvh, _estoc.SceneSnapshot]:
        """The compiled object that answers."""
        raise NotImplementedError

    def _thread_count(self, threads: Optional[int]) -> int:
        return thread_count(self._threads if threads is None else threads)

    def _numbers(
        self,
        name: str,
        ask: Callable[..., None],
        given: Given,
        *options: Any,
        dtype: type[np.generic],
        progress: Progress,
        out: Optional[npt.NDArray[Any]],
    ) -> npt.NDArray[Any]:
        """Returns one number for each item, in ``out`` or a new array."""
        arguments, shape = given
        answers = _arrays.target(out, shape, dtype, arguments)
        with reporter(progress, name) as report:
            ask(self._target, (*arguments, report), *options, answers)
        return answers

    def _records(
        self,
        name: str,
        ask: Callable[..., None],
        given: Given,
        *options: Any,
        kind: type[_Answers],
        progress: Progress,
        out: Optional[_Answers] = None,
    ) -> _Answers:
        """Returns one answer of a kind for each item, in ``out`` or new arrays."""
        (arguments, shape), target = given, self._target
        answers = targets(kind, out, shape, arguments, _estoc.path_len(target))
        fields: Any = answers
        with reporter(progress, name) as report:
            ask(target, (*arguments, report), *options, fields._asdict())
        return answers

    def _lists(
        self,
        name: str,
        ask: Callable[..., list[npt.NDArray[Any]]],
        given: Given,
        *options: Any,
        kind: Callable[..., _Answers],
        progress: Progress,
    ) -> _Answers:
        """Returns any number of answers of a kind for each item."""
        with reporter(progress, name) as report:
            return kind(*ask(self._target, (*given[0], report), *options))
