# SPDX-License-Identifier: Apache-2.0
"""The machine that is measured."""

from __future__ import annotations

import os
import platform
from datetime import date
from pathlib import Path
from typing import Final

_SYSTEM: Final = Path("/sys/devices/system/cpu")


def stay_on_cores(count: int) -> int:
    """Keep this process and those that it starts to `count` processors, of different cores where there are so many.
    How many they are."""
    allowed = sorted(os.sched_getaffinity(0))
    one_a_core = list({_siblings(processor): processor for processor in reversed(allowed)}.values())
    chosen = sorted(one_a_core)[:count] if len(one_a_core) >= count else allowed[:count]
    os.sched_setaffinity(0, chosen)
    return len(chosen)


def _siblings(processor: int) -> str:
    path = _SYSTEM / f"cpu{processor}" / "topology" / "thread_siblings_list"
    return path.read_text() if path.exists() else str(processor)


def last_level_cache() -> int:
    """Bytes of the greatest cache that the system knows of; 0 where it doesn't say."""
    sizes = [path.read_text().strip() for path in _SYSTEM.glob("cpu0/cache/index*/size")]
    return max((int(size.removesuffix("K")) << 10 for size in sizes if size.endswith("K")), default=0)


def described(threads: int) -> str:
    """A sentence."""
    information = Path("/proc/cpuinfo").read_text()
    fields = dict(line.split(":", 1) for line in information.split("\n\n")[0].splitlines() if ":" in line)
    fields = {name.strip(): value.strip() for name, value in fields.items()}
    flags = fields.get("flags", "").split()
    vectors = next((shown for flag, shown in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags), "no AVX2")
    family = f" (family {fields['cpu family']}, model {fields['model']})" if "cpu family" in fields else ""
    return (
        f"{fields.get('model name', platform.machine())}{family}, {vectors}, {last_level_cache() >> 20} MiB last-level "
        f"cache, {threads} threads, {date.today():%d %B %Y}, load {os.getloadavg()[1]:.1f} meanwhile"
    )
