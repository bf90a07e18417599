# SPDX-License-Identifier: Apache-2.0
"""`lanewise run --time`: how long a launch takes once the machine code is there."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from statistics import median
from typing import Final

LIMIT_S: Final = 1.0
"""After which no further launch is started."""

MOST: Final = 1000


def launch_times(launch: Callable[[], None]) -> list[float]:
    """Seconds that launches take, one after the other, sorted: up to `MOST` within about `LIMIT_S`. What they print is
    dropped."""
    times: list[float] = []
    end = time.perf_counter() + LIMIT_S
    with redirect_stdout(StringIO()):
        while len(times) < MOST and (not times or time.perf_counter() < end):
            start = time.perf_counter()
            launch()
            times.append(time.perf_counter() - start)
    return sorted(times)


def told(compiled_s: float, first_s: float, times: list[float]) -> list[str]:
    """The lines that `--time` adds."""
    usual = median(times)
    return [
        f"front end: {1e3 * compiled_s:.1f} ms",
        f"machine code and first launch: {1e3 * first_s:.1f} ms",
        f"launch: {_shown(usual)} (median of {len(times)}; {_shown(times[0])} to {_shown(times[-1])})",
    ]


def _shown(seconds: float) -> str:
    for unit, scale in (("us", 1e6), ("ms", 1e3)):
        if seconds * scale < 1000:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"
