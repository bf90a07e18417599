# SPDX-License-Identifier: Apache-2.0
"""Which processor this is, told without loading LLVM: part of the cache key of machine code."""

from __future__ import annotations

import functools
import os
import platform

_TELLING = (
    # x86-64
    "vendor_id",
    "cpu family",
    "model",
    "model name",
    "stepping",
    "flags",
    # aarch64
    "CPU implementer",
    "CPU architecture",
    "CPU variant",
    "CPU part",
    "CPU revision",
    "Features",
)


@functools.cache
def features() -> str:
    """Architecture, processor and instruction sets as one line; equal lines, equal code.

    It is what Linux reports of the first processor, which covers all that LLVM derives its host target from.
    """
    # One read: the kernel makes up the text processor by processor, slowly on large machines.
    descriptor = os.open("/proc/cpuinfo", os.O_RDONLY | os.O_CLOEXEC)
    try:
        first = os.read(descriptor, 1 << 16).decode(errors="replace").split("\n\n", 1)[0]
    finally:
        os.close(descriptor)
    told = dict(line.split(":", 1) for line in first.splitlines() if ":" in line)
    found = {name.strip(): value.strip() for name, value in told.items()}
    return "; ".join([platform.machine(), *(f"{name}: {found[name]}" for name in _TELLING if name in found)])
