# SPDX-License-Identifier: Apache-2.0
"""Report of the synthesis for a kernel: replaced loads, and reasons for the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lanewise.ptx.shuffles.proof import Proof
from lanewise.ptx.symbolic.trace import Printer


@dataclass(frozen=True, slots=True)
class Declined:
    """A load or kernel that stays unchanged. `line` is that of the PTX, from 1; `source` is `file:line` of the program,
    if `.loc` has it."""

    line: int
    why: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Replaced:
    """A load that was replaced. `sources`: lines of the loads that its elements come from; `lanes`: N of each."""

    line: int
    source: str | None
    sources: tuple[int, ...]
    lanes: tuple[int, ...]
    proofs: tuple[Proof, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class KernelReport:
    """`loads` counts those of global and shared memory in the text. `found` counts those whose value another lane or
    the lane itself has. `seconds` is the time of analysis and synthesis."""

    name: str
    loads: int
    found: int
    replaced: tuple[Replaced, ...]
    declined: tuple[Declined, ...]
    seconds: float
    printer: Printer | None = field(default=None, repr=False, compare=False)
    """Prints the addresses of proofs."""

    @property
    def shuffles(self) -> int:
        return len(self.replaced)

    @property
    def mean_delta(self) -> float | None:
        """The mean of |N| over the replaced loads (for a vector, the largest of its elements)."""
        distances = [max(map(abs, load.lanes)) for load in self.replaced]
        return sum(distances) / len(distances) if distances else None

    @property
    def summary(self) -> str:
        """One line for people."""
        mean = self.mean_delta
        away = "" if mean is None else f", {mean:.3g} lane{'' if mean == 1 else 's'} away on average"
        loads = f"{self.loads} load{'' if self.loads == 1 else 's'}"
        more = f", {self.found - self.shuffles} more could be" if self.found > self.shuffles else ""
        return f"{self.name}: {self.shuffles} of {loads} replaced by shuffles{away}{more} ({self.seconds:.2f} s)"

    def as_json(self) -> dict[str, Any]:
        mean = self.mean_delta
        return {
            "name": self.name, "loads": self.loads, "found": self.found, "shuffles": self.shuffles,
            "mean_delta": None if mean is None else round(mean, 3), "seconds": round(self.seconds, 4),
            "declined": [{"line": d.line, "why": d.why} for d in self.declined],
        }  # fmt: skip
