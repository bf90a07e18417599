# SPDX-License-Identifier: Apache-2.0
"""GPU code with LLVM's own values of the switches that `llvm/switches.py` sets, to measure what they are worth."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Final
from unittest.mock import patch

from lanewise.llvm import switches

SWITCHES: Final = tuple(each.name for each in switches.GPU)


@contextmanager
def llvms_own(names: Iterable[str]) -> Generator[None]:
    """Compile with some of `SWITCHES` as LLVM has them, also in other threads that compile for GPUs meanwhile."""
    own = set(names)
    if not own:
        yield
        return
    changed = tuple(each._replace(gpu=each.otherwise) if each.name in own else each for each in switches.GPU)
    try:
        with patch.object(switches, "GPU", changed):
            _leave_gpus()
            yield
    finally:  # when the table is what it was: else a thread that comes between would set the changed one
        _leave_gpus()


def _leave_gpus() -> None:
    """Let whatever is compiled for a GPU next set all switches."""
    with switches.switches(gpu=False):
        pass
