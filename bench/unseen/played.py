# SPDX-License-Identifier: Apache-2.0
"""The part that all players of a recording share: a launch on its data, and that data put back before the next one.

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
    """The contents of the memory with a number, as they are now."""
    put_back: Callable[[int, Bytes], object]
    """Gives the memory of a number these contents."""
    types: dict[int, str]
    """The dtype of the numbers in a memory, where the player knows it."""
    remarks: list[str]
    """The remarks of the compiler on the kernel."""
    code: str = ""
    """A digest of the machine code for the local size, the same for the same code; empty where the player doesn't know
    it, or launches choose between two codes."""
    is_settled: Callable[[], bool] = lambda: True
    """False while code for the launch may still be made in the background."""


class Results(NamedTuple):
    """The results of a player, by numbers of memories."""

    changed: dict[int, Bytes]
    """The contents after a launch of the memories that it changed, by the code that is timed."""
    first: dict[int, Bytes]
    """The same of the first launch, which other code may have run."""
    unstable: set[int]
    """The memories that were different after a later launch on the same data: its work-items raced for places."""
    types: dict[int, str]
    """See `Played`."""


class Loaded(NamedTuple):
    """A player's answer when it has loaded a recording: the compiler's remarks, and the code's identity."""

    remarks: list[str]
    code: str
    is_settled: bool
    """False if it has given up waiting until all later launches run by the same code."""


class Player(Protocol):
    version: str

    def play(self, recording: Recording) -> Played: ...


def changed(recording: Recording, played: Played) -> dict[int, Bytes]:
    """The recorded contents of each memory that now holds something else."""
    before = recording.memories()
    return {number: data for number, data in before.items() if not np.array_equal(played.contents(number), data)}
