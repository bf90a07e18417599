# SPDX-License-Identifier: Apache-2.0
"""Remarks of passes: what they left alone because it went beyond a limit of theirs, and where that is.

A pass doesn't know whether anybody listens. A remark belongs to the thread that the pass runs in.
"""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

from lanewise.ir.function import Block, Function


class Remark(NamedTuple):
    """A part of a function that a pass left alone, and the reason."""

    function: Function
    place: str
    """The name of a `!dbg` node; empty if there is none."""
    reason: str


_listening: Final[ContextVar[list[Remark] | None]] = ContextVar("listening", default=None)


@contextmanager
def remarks() -> Generator[list[Remark]]:
    """Collect the remarks of the body of the `with` statement."""
    found: list[Remark] = []
    token = _listening.set(found)
    try:
        yield found
    finally:
        _listening.reset(token)


def leave_alone(part: Function | Block, reason: str) -> None:
    """Remark that a function is left alone, or what begins at a block, such as a loop: once for each reason."""
    found = _listening.get()
    if found is None:
        return
    blocks = part.blocks if isinstance(part, Function) else [part]
    function = part if isinstance(part, Function) else part.parent
    remark = Remark(function, _place(blocks), reason)
    if remark not in found:
        found.append(remark)


def _place(blocks: Iterable[Block]) -> str:
    nodes = (each.metadata_of("!dbg") for block in blocks for each in block.instructions)
    return next((node for node in nodes if node), "")
