# SPDX-License-Identifier: Apache-2.0
"""Times of code in Python processes of its own, with caches of its own, and the table they are shown in."""

import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table


def milliseconds(code: str, cache: Path) -> float:
    """Runs code in a new Python process and returns the number that it prints.

    Python's own byte code is kept beside the cache, as an installed package has it, whatever the environment says.
    """
    environment = os.environ | {
        "LANEWISE_CACHE_DIR": str(cache),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(cache.parent / "bytecode"),
    }
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the measured process failed:\n{done.stderr}")
    return float(done.stdout.split()[-1])


@dataclass(frozen=True)
class Row:
    """A measurement in milliseconds; `asked` is the most that it may take, None where it is for comparison only."""

    what: str
    asked: float | None
    times: list[float]


def show(title: str, rows: list[Row]) -> None:
    """Prints a table of the medians beside what is asked."""
    table = Table("", "asked", "median", "least", "most", title=title)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        median = statistics.median(row.times)
        colour = "" if row.asked is None else "[green]" if median <= row.asked else "[red]"
        asked = "" if row.asked is None else _written(row.asked)
        table.add_row(row.what, asked, colour + _written(median), _written(min(row.times)), _written(max(row.times)))
    Console().print(table)


def _written(milliseconds: float) -> str:
    return f"{milliseconds:.1f} ms" if milliseconds >= 1 else f"{1000 * milliseconds:.2f} us"
