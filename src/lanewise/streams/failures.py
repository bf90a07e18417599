# SPDX-License-Identifier: Apache-2.0
"""Failures of work in queues: the exceptions, by the numbers that queues know them by."""

import copy
import itertools
from collections.abc import Iterable
from typing import Final

from lanewise.errors import LaunchError
from lanewise.runtime.served_queue import Mark

_numbers: Final = itertools.count(1)
_failures: Final[dict[int, BaseException]] = {}


def keep_failure(failure: BaseException, forgotten: Iterable[int]) -> int:
    """Keep a failure under a number of its own; drop the `forgotten` ones."""
    for number in forgotten:
        _failures.pop(number, None)
    number = next(_numbers)
    _failures[number] = failure
    return number


def failure_of(number: int) -> BaseException | None:
    """The failure of a number; None for 0."""
    return (
        (_failures.get(number) or LaunchError("work of a stream has failed, and memory is short")) if number else None
    )


def raise_failure_before(mark: Mark) -> None:
    """Raise the failure of the work before `mark`, if there is one."""
    failure = failure_of(mark.failure)
    if failure is not None:
        raise again(failure)


def again(failure: BaseException) -> BaseException:
    """A copy to raise. Raising the stored exception itself would keep alive everything that its callers refer to."""
    try:
        copied = copy.copy(failure)
    except TypeError:  # a class whose constructor takes other arguments than it stores
        return LaunchError(f"{type(failure).__name__}: {failure}")
    copied.__cause__ = failure.__cause__
    return copied.with_traceback(failure.__traceback__)
