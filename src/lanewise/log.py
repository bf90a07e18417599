# SPDX-License-Identifier: Apache-2.0
"""The log on standard error that LANEWISE_LOG=1 asks for: a line for each look into the cache and each step.

lanewise:      miss  kernel IR of saxpy.cu
lanewise:   16.2 ms  clang saxpy.cu
lanewise:       hit  machine code of saxpy for a block of 256,1,1
"""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

from lanewise.config import wants_log


def looked_up(what: str, *, found: bool) -> None:
    """Tell that the cache was asked for `what`."""
    if wants_log():
        _tell("hit" if found else "miss", what)


@contextmanager
def step(what: str) -> Generator[None]:
    """Tell how long the body of the `with` statement takes, also where it fails."""
    start = time.perf_counter()
    try:
        yield
    finally:
        if wants_log():
            _tell(f"{1e3 * (time.perf_counter() - start):.1f} ms", what)


def _tell(how: str, what: str) -> None:
    """Write one line at once, so that those of several threads don't mix."""
    if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison] : programs without a terminal have none
        sys.stderr.write(f"lanewise: {how:>9}  {' '.join(what.split())}\n")
        sys.stderr.flush()
