# SPDX-License-Identifier: Apache-2.0
"""Puts what was measured on a corpus into docs/cpu.md: python -m bench.unseen.document [--fastest] FILE [FILE ...]

The files are those that `python -m bench.unseen ... --save FILE` wrote, one for each part of the corpus. The summary
goes between the marks of the document, the chart to docs/unseen.png. With --fastest a time is that of the fastest
launch in place of the median: for a machine that has others to serve.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from bench.cpu.environment import ROOT

from . import chart, report
from .measure import Outcome

_DOCUMENT: Final = ROOT / "docs" / "cpu.md"
_CHART: Final = ROOT / "docs" / "unseen.png"
_BEGIN, _END = "<!-- what bench.unseen measured -->\n", "<!-- end of what bench.unseen measured -->\n"


def load(files: Iterable[Path]) -> tuple[str, list[Outcome]]:
    """The conditions that the first file names, and the outcomes of all, in the order of their names."""
    saved = [json.loads(file.read_text()) for file in files]
    outcomes = [Outcome(**each) for part in saved for each in part["outcomes"]]
    return saved[0]["conditions"], sorted(outcomes, key=lambda each: each.name)


def section(conditions: str, outcomes: list[Outcome]) -> str:
    """The text between the marks."""
    picture = f"![How many times faster than Intel's runtime, by kernel]({_CHART.name})"
    failed = report.failures([each for each in outcomes if not each.ratio("intel")])
    return "\n\n".join([_BEGIN + conditions, picture, report.summary(report.groups(outcomes)), failed, _END])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.unseen.document")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="what bench.unseen --save wrote")
    parser.add_argument("--fastest", action="store_true", help="times are those of the fastest launches")
    given = parser.parse_args()
    try:
        conditions, outcomes = load(given.files)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SystemExit(f"not what python -m bench.unseen --save wrote: {error}") from None
    if given.fastest:
        conditions += " Times are those of the fastest launches, since the machine had others to serve."
        outcomes = [each.by_fastest() for each in outcomes]
    before, begin, rest = _DOCUMENT.read_text().partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise SystemExit(f"{_DOCUMENT.name} has lost its marks")
    chart.draw(outcomes, _CHART)
    unfinished = _DOCUMENT.with_suffix(f".{os.getpid()}")
    unfinished.write_text(before + section(conditions, outcomes).strip() + "\n" + after)
    unfinished.replace(_DOCUMENT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
