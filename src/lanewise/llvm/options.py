# SPDX-License-Identifier: Apache-2.0
"""LLVM's command-line switches, for what its interfaces have no setting for."""

from __future__ import annotations

from lanewise.llvm.binding import llvm


def set_option(option: str) -> None:
    """Sets a switch as `opt` and `llc` take it: `set_option("-unroll-threshold=200")`.

    It holds for the whole process, every thread and every later call, and can't be taken back except by
    setting another value. LLVM ignores a name that it doesn't know, silently, and prints a complaint about
    a value that it can't read: check that the output changed. Not while another thread is inside LLVM.
    """
    llvm().set_option("lanewise", option)
