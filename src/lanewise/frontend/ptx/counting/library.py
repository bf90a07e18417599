# SPDX-License-Identifier: Apache-2.0
"""The functions that woven counters call, as a library in C."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lanewise.cache import Cache
from lanewise.ir.counters import COUNT
from lanewise.linking import Library, LibraryUnit

_SOURCE: Final = Path(__file__).parent / "source" / "warp_counts.c"
_ARGUMENTS: Final = (
    "-target", "nvptx64-nvidia-cuda", "-Xclang", "-target-cpu", "-Xclang", "sm_80", "-Xclang", "-target-feature",
    "-Xclang", "+ptx70", "-nostdinc", "-std=gnu11", "-O2", "-ffreestanding", "-fconvergent-functions",
)  # fmt: skip


def counting_library(cache: Cache) -> Library:
    """The library, whose only unit is compiled when a module with counters is."""
    return Library("counting", _unit_of, _ARGUMENTS, cache)


def _unit_of(symbol: str) -> LibraryUnit | None:
    return LibraryUnit("counting", _SOURCE) if symbol.startswith(COUNT) else None
