# SPDX-License-Identifier: Apache-2.0
"""LLVM's command-line switches, for settings that its interfaces lack."""

from __future__ import annotations

from lanewise.llvm.binding import llvm


def set_option(option: str) -> None:
    """Set a switch, as for `opt` and `llc`: `set_option("-unroll-threshold=200")`.

    It holds for the whole process, every thread and every later call, until another value is set. LLVM silently ignores
    an unknown name, and prints a message for an invalid value: check that the output changed. Not to be called while
    another thread is inside LLVM.
    """
    llvm().set_option("lanewise", option)
