# SPDX-License-Identifier: Apache-2.0
"""The decisions that a random kernel is made of: whole numbers, of which 0 always makes what is simplest.

A kernel is a function of its decisions. They come from a seed, or from a list: so a kernel that fails is made smaller
by making its list smaller (`shrinking.py`).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")


class Span(NamedTuple):
    """Decisions that belong together, such as those of one statement: the first, and the one after the last."""

    start: int
    end: int


class Choices:
    """Makes decisions and remembers them."""

    def __init__(self, seed: int = 0, replayed: Sequence[int] | None = None) -> None:
        """From `seed`, or from a list, behind whose end all decisions are 0."""
        self._random: Final = Random(seed)
        self._replayed: Final = replayed
        self.made: Final[list[int]] = []
        self.spans: Final[list[Span]] = []

    def upto(self, highest: int) -> int:
        """0 to `highest`."""
        if self._replayed is None:
            value = self._random.randint(0, highest)
        else:
            place = len(self.made)
            value = min(self._replayed[place], highest) if place < len(self._replayed) else 0
        self.made.append(value)
        return value

    def pick(self, options: Sequence[T]) -> T:
        return options[self.upto(len(options) - 1)]

    def rarely(self, one_in: int) -> bool:
        """True once in so many times."""
        return self.upto(one_in - 1) == one_in - 1

    @contextmanager
    def span(self) -> Iterator[None]:
        start = len(self.made)
        yield
        self.spans.append(Span(start, len(self.made)))
