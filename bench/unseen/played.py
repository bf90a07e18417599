# SPDX-License-Identifier: Apache-2.0
"""What all who play a recording have in common: a launch on its data, and that data put back before the next one.

A program launches a kernel on data that it has just made. Launched again on its own results, a sort would find all
sorted, and sums would grow without end. So before each launch the memory that the first one changed is as recorded;
this is no part of its time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from .recording import Bytes, Recording


class Played(NamedTuple):
    """A recording, ready to be launched."""

    launch: Callable[[], object]
    """Launches it and waits until it is done."""
    contents: Callable[[int], Bytes]
    """What the memory of a number holds now."""
    put_back: Callable[[int, Bytes], object]
    """Gives the memory of a number these contents."""
    types: dict[int, str]
    """The dtype of the numbers in a memory, where the player knows it."""
    remarks: list[str]
    """What the compiler says about the kernel."""


class Results(NamedTuple):
    """What a player made of a recording, by numbers of memories."""

    changed: dict[int, Bytes]
    """Contents after a launch, of those that it changed."""
    unstable: set[int]
    """Those that were different after a second launch on the same data: its work-items raced for places."""
    types: dict[int, str]
    """See `Played`."""


class Player(Protocol):
    version: str

    def play(self, recording: Recording) -> Played: ...


def changed(recording: Recording, played: Played) -> dict[int, Bytes]:
    """The recorded contents of each memory that now holds something else."""
    before = recording.memories()
    return {number: data for number, data in before.items() if not np.array_equal(played.contents(number), data)}
