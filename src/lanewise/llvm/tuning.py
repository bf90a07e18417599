# SPDX-License-Identifier: Apache-2.0
"""Options of LLVM's pipelines, with one that llvmlite has no name for.

Loop-invariant code motion brings memory that a loop reads and writes into registers. For each place it then puts
stores at all exits of the loop, and each store has LLVM's MemorySSA look at the memory of the whole function anew: the
time grows with the square of the function. A kernel of hashcat with 17,000 blocks took 116 s of a processor; without
this 2.8 s.
"""

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final, final

from lanewise.llvm.binding import llvm

_SWITCH: Final = "-licm-mssa-max-acc-promotion"
_MOST_ACCESSES: Final = 250
"""LLVM's own value: accesses of a loop that has memory brought into registers."""


@final
class _Lock:
    """The lock of LLVM's variable, which options are made from. A forked child has a lock of its own."""

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        self.held = threading.Lock()


_lock: Final = _Lock()
os.register_at_fork(after_in_child=_lock.renew)


@contextmanager
def tuning(level: int, *, promotes: bool = True) -> Generator[Any]:
    """llvmlite's options for a pipeline of optimisation level 0 to 3. `promotes`: loop-invariant code motion brings
    memory into registers."""
    binding = llvm()
    with _lock.held:
        if not promotes:
            binding.set_option("lanewise", f"{_SWITCH}=0")
        try:
            made = binding.create_pipeline_tuning_options(level)
        finally:
            if not promotes:
                binding.set_option("lanewise", f"{_SWITCH}={_MOST_ACCESSES}")
    with made as options:
        yield options
