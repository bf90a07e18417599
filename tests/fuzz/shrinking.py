# SPDX-License-Identifier: Apache-2.0
"""Makes the decisions behind a failing kernel fewer and smaller while it goes on failing.

Decisions of a whole statement or expression are left out together, largest first; those that remain are lowered. It
is done over again until nothing helps or the time is up: a local minimum, which is small enough to read.
"""

import time
from collections.abc import Callable, Iterator, Sequence

from .choices import Choices, Span

Fails = Callable[[Choices], bool]
"""Makes a kernel of the decisions, runs it, and says whether it fails as the first one did."""


def shrunk(choices: Choices, fails: Fails, seconds: float) -> list[int]:
    """The smallest failing decisions found within `seconds`, starting with those that a failing kernel was made of."""
    deadline = time.monotonic() + seconds
    best, improved = choices, True
    while improved:
        improved = False
        for candidates in (_without_spans, _lowered):
            progress = True
            while progress and time.monotonic() < deadline:
                progress = False
                for made in candidates(best.made, best.spans):
                    if time.monotonic() > deadline:
                        break
                    tried = Choices(replayed=made)
                    if fails(tried) and _size(tried) < _size(best):
                        best, progress, improved = tried, True, True
                        break
        if time.monotonic() > deadline:
            break
    return best.made


def _size(choices: Choices) -> tuple[int, list[int]]:
    return len(choices.made), choices.made


def _without_spans(made: Sequence[int], spans: Sequence[Span]) -> Iterator[list[int]]:
    for start, end in sorted(spans, key=lambda span: span.start - span.end):
        if end > start:
            yield [*made[:start], *made[end:]]
            yield [*made[:start], 0, *made[end:]]


def _lowered(made: Sequence[int], spans: Sequence[Span]) -> Iterator[list[int]]:
    for place, value in enumerate(made):
        for lower in sorted({0, value // 2, value - 1}):
            if 0 <= lower < value:
                yield [*made[:place], lower, *made[place + 1 :]]
