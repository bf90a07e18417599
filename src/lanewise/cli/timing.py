# SPDX-License-Identifier: Apache-2.0
"""The times of `lanewise run --time`: how long a launch takes once its machine code is loaded."""

import time
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from statistics import median
from typing import Any, Final, NamedTuple, Protocol

LIMIT_S: Final = 1.0
"""Time after which no further launch is started."""

MOST: Final = 1000


class Steps(Protocol):
    """Seconds that each earlier step took."""

    @property
    def front_end(self) -> float: ...
    @property
    def machine_code(self) -> float: ...
    @property
    def run(self) -> float: ...


def launch_times(launch: Callable[[], None]) -> list[float]:
    """Seconds of up to `MOST` launches, one after the other, sorted, within about `LIMIT_S`. What they print is
    dropped."""
    times: list[float] = []
    end = time.perf_counter() + LIMIT_S
    with redirect_stdout(StringIO()):
        while len(times) < MOST and (not times or time.perf_counter() < end):
            start = time.perf_counter()
            launch()
            times.append(time.perf_counter() - start)
    return sorted(times)


class BytesMoved(NamedTuple):
    """Bytes of the arrays that a launch reads, and of those that it writes. `machine` is the bytes per second that this
    machine copies, or None if the arrays stay in its caches."""

    read: int
    written: int
    machine: float | None


def told(steps: Steps, times: list[float], traffic: BytesMoved | None) -> list[str]:
    """The lines that `--time` adds."""
    lines = [
        f"front end: {shown(steps.front_end)}",
        f"machine code: {shown(steps.machine_code)}",
        f"first launch: {shown(steps.run)}",
        f"launch: {shown(median(times))} (median of {len(times)}; {shown(times[0])} to {shown(times[-1])})",
    ]
    if traffic is not None and traffic.read + traffic.written:
        lines.append(_told_of(traffic, median(times)))
    return lines


def _told_of(traffic: BytesMoved, seconds: float) -> str:
    rate = (traffic.read + traffic.written) / seconds
    share = "the arrays fit the caches"
    if traffic.machine is not None:
        share = f"{100 * rate / traffic.machine:.0f} % of the {_rate(traffic.machine)} that copies reach here"
    return (
        f"arrays: {_amount(traffic.read)} read, {_amount(traffic.written)} written, {_rate(rate)} if each element is "
        f"accessed once; {share}"
    )


def told_as_data(times: list[float], traffic: BytesMoved | None) -> dict[str, Any]:
    """The times and bytes of the launches, for `--json`."""
    told: dict[str, Any] = {"launches": len(times), "median": median(times), "least": times[0], "most": times[-1]}
    if traffic is not None:
        told |= {
            "bytes_read": traffic.read,
            "bytes_written": traffic.written,
            "machine_bytes_per_second": traffic.machine,
        }
    return told


def _rate(bytes_per_second: float) -> str:
    return f"{bytes_per_second / 1e9:.3g} GB/s"


def _amount(nbytes: int) -> str:
    for unit, scale in (("B", 1), ("KB", 1e3), ("MB", 1e6)):
        if nbytes < 1000 * scale:
            return f"{nbytes / scale:.3g} {unit}"
    return f"{nbytes / 1e9:.3g} GB"


def shown(seconds: float) -> str:
    """A duration with its unit."""
    for unit, scale in (("us", 1e6), ("ms", 1e3)):
        if seconds * scale < 1000:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"
