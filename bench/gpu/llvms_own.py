# SPDX-License-Identifier: Apache-2.0
"""GPU code with LLVM's own values of the switches that `llvm/switches.py` sets, to measure what they are worth."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Final

from lanewise.llvm.binding import llvm
from lanewise.llvm.switches import GPU, switches

SWITCHES: Final = tuple(each.name for each in GPU)


@contextmanager
def llvms_own(names: Iterable[str]) -> Generator[None]:
    """Compile with some of `SWITCHES` as LLVM has them. Other threads must not compile for GPUs meanwhile: they would
    have them, too."""
    changed = [each for each in GPU if each.name in set(names)]
    with switches(gpu=True):
        for each in changed:
            _set(each.name, each.otherwise)
        try:
            yield
        finally:
            for each in changed:
                _set(each.name, each.gpu)


def _set(name: str, value: str) -> None:
    llvm().set_option("lanewise", f"-{name}={value}")
