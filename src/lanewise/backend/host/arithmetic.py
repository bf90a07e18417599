# SPDX-License-Identifier: Apache-2.0
"""The functions that LLVM's code generator calls for what a processor lacks, linked into the objects that need them.

Whether a process has them depends on what it happens to have loaded (they are libgcc's), so that ours come along.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Final

from lanewise.toolchain import run_zig

_SOURCE: Final = Path(__file__).with_name("arithmetic.c")
_DEFINED: Final = re.compile(r"^(?:LIBRARY [\w ]+ |POWER\()(__\w+)", re.MULTILINE)
_OPTIONS: Final = ("-std=gnu11", "-O2", "-fPIC", "-ffreestanding", "-ffunction-sections", "-ffp-contract=off")


def needs_arithmetic(machine_code: bytes) -> bool:
    """True if an object file names one of the functions."""
    return any(name in machine_code for name in _names())


@functools.cache
def arithmetic_object(architecture: str) -> bytes:
    """The functions as a relocatable object file for `x86_64` or `aarch64`. Takes the wheel's clang 0.1 s, once a
    process."""
    target = f"{architecture}-linux-gnu"
    arguments = ["clang", "-target", target, "-nostdinc", *_OPTIONS, "-c", str(_SOURCE), "-o", "-"]
    return run_zig(arguments, f"{_SOURCE.name} could not be compiled")


@functools.cache
def _names() -> tuple[bytes, ...]:
    return tuple(f"\0{name}\0".encode() for name in _DEFINED.findall(_SOURCE.read_text()))
