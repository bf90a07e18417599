# SPDX-License-Identifier: Apache-2.0
"""Sizes of the processor's caches, as Linux reports them.

Source: Linux, Documentation/ABI/testing/sysfs-devices-system-cpu, /sys/devices/system/cpu/cpu*/cache/index*.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

UNKNOWN: Final = 64 << 20
"""Bytes if the system doesn't report them: more than most processors have."""

_CACHES: Final = Path("/sys/devices/system/cpu/cpu0/cache")
_LEVELS: Final = range(4, -1, -1)
"""Caches of a processor are numbered upwards, the largest last."""


def last_level_cache_bytes(caches: Path = _CACHES, processors: int | None = None) -> int:
    """Total bytes of all last-level caches: the size of one, times the number of processors (None: those of the
    machine), divided by the number that share one."""
    for level in _LEVELS:
        try:
            size = (caches / f"index{level}" / "size").read_text().strip()
            shared = (caches / f"index{level}" / "shared_cpu_list").read_text().strip()
            bytes_ = int(size.removesuffix("K")) << 10
            sharing = _count(shared)
        except (OSError, ValueError):
            continue
        return bytes_ * max(1, (processors or os.cpu_count() or 1) // sharing)
    return UNKNOWN


def _count(ranges: str) -> int:
    """Count of the numbers in a list such as `0-3,8`."""
    total = 0
    for part in ranges.split(","):
        first, dash, last = part.partition("-")
        total += int(last if dash else first) - int(first) + 1
    return total
