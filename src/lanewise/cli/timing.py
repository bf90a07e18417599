# SPDX-License-Identifier: Apache-2.0
"""`lanewise run --time`: how long a launch takes once the machine code is there."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from statistics import median
from typing import Any, Final, Protocol

LIMIT_S: Final = 1.0
"""After which no further launch is started."""

MOST: Final = 1000


class Steps(Protocol):
    """Seconds that each step before took."""

    @property
    def front_end(self) -> float: ...
    @property
    def machine_code(self) -> float: ...
    @property
    def run(self) -> float: ...


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


def told(steps: Steps, times: list[float]) -> list[str]:
    """The lines that `--time` adds."""
    return [
        f"front end: {shown(steps.front_end)}",
        f"machine code: {shown(steps.machine_code)}",
        f"first launch: {shown(steps.run)}",
        f"launch: {shown(median(times))} (median of {len(times)}; {shown(times[0])} to {shown(times[-1])})",
    ]


def told_as_data(times: list[float]) -> dict[str, Any]:
    """The same of the launches, for `--json`, in seconds."""
    return {"launches": len(times), "median": median(times), "least": times[0], "most": times[-1]}


def shown(seconds: float) -> str:
    """A duration with its unit."""
    for unit, scale in (("us", 1e6), ("ms", 1e3)):
        if seconds * scale < 1000:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"
