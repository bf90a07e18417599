# SPDX-License-Identifier: Apache-2.0
"""The profile of a launch: counters in total and by line."""

from collections.abc import Mapping
from math import prod
from os import PathLike
from typing import Any, Final, NamedTuple

from lanewise.device.gpus import Gpu
from lanewise.device.launch import Extent
from lanewise.program.profile.advice import advice
from lanewise.program.profile.counts import Counts
from lanewise.program.profile.lines import ProfiledLine, worst_first
from lanewise.program.profile.registers import ThreadRegisters
from lanewise.program.profile.roofline import Occupancy, Roofline, occupancy, roofline
from lanewise.program.profile.table import on_gpu, table

COUNTERS: Final = (
    "warp_instructions", "thread_instructions", "branches", "divergent_branches", "barriers",
    *(f"global_{kind}_{what}" for kind in ("load", "store", "atomic")
      for what in ("requests", "sectors", "ideal_sectors")),
    *(f"shared_{kind}_{what}" for kind in ("load", "store", "atomic")
      for what in ("requests", "wavefronts", "ideal_wavefronts")),
    "atomic_repeats",
)  # fmt: skip
"""The counters that each profile has. `docs/profile.md` says what each counts."""


class ProfiledLaunch(NamedTuple):
    """A launch of `kernel`. `shared`: bytes of shared memory of a block."""

    kernel: str
    grid: Extent
    block: Extent
    shared: int
    registers: ThreadRegisters
    gpu: Gpu


class Profile(NamedTuple):
    """The result of `kernel.profile(grid, block, arguments)`; as text, a table.

    `counters` are those of the whole launch, by name. `lines` has them for each line of the program that was executed,
    in order. `ptx` is the text that was counted.
    """

    kernel: str
    grid: Extent
    block: Extent
    counters: Mapping[str, int]
    instructions: Mapping[str, int]
    """Warp instructions by kind: "fp32", "integer", "load" and so on."""
    lines: tuple[ProfiledLine, ...]
    occupancy: Occupancy
    """Warps that a multiprocessor of the GPU may hold at the same time."""
    roofline: Roofline
    """The limits of the GPU that the launch meets, the nearest first."""
    ptx: str

    @property
    def advice(self) -> tuple[str, ...]:
        """Sentences on all that costs more than it must, the lines with the most of it first, each with a remedy."""
        told = [(line, sentence) for line in worst_first(self.lines) for sentence in advice(line.counters)]
        return tuple(f"{line.file}:{line.line}: {sentence}" for line, sentence in told)

    def as_json(self) -> dict[str, Any]:
        """The profile as data for JSON."""
        return {
            "kernel": self.kernel,
            "grid": list(self.grid),
            "block": list(self.block),
            "counters": dict(self.counters),
            "instructions": dict(self.instructions),
            "occupancy": {**self.occupancy._asdict(), "registers": self.occupancy.registers._asdict()},
            "roofline": {
                "gpu": self.roofline.gpu,
                "seconds": {each.name: each.seconds for each in self.roofline.limits},
            },
            "lines": [
                {"file": each.file, "line": each.line, "text": each.text, "counters": dict(each.counters)}
                for each in self.lines
            ],
            "advice": list(self.advice),
        }

    def chart(self, path: str | PathLike[str]) -> None:
        """Write the profile as a picture: the launch under the GPU's roofline, its limits, its worst lines. The file's
        ending says the format: `.png`, `.svg` or `.pdf`. Error without matplotlib, the extra `plot`."""
        from lanewise.program.profile.chart import draw  # few profiles are drawn

        draw(path, f"{self!r}"[1:-1], self.counters, self.roofline, self.lines)

    def __repr__(self) -> str:
        grid, block = (" x ".join(map(str, extent)) for extent in (self.grid, self.block))
        count = self.counters["warp_instructions"]
        return f"<profile of {self.kernel}, grid {grid}, block {block}: {count:,} warp instructions>"

    def __str__(self) -> str:
        gpu = on_gpu(self.occupancy, self.roofline)
        return table(f"{self!r}"[1:-1], self.counters, self.instructions, gpu, self.lines)


def profile_of(launch: ProfiledLaunch, lines: list[ProfiledLine], whole: Counts, ptx: str) -> Profile:
    """A profile from the counters of its lines, and of the whole launch."""
    counters = {name: whole[name] for name in COUNTERS}
    prefix = "instructions."
    kinds = {name.removeprefix(prefix): n for name, n in whole.most_common() if name.startswith(prefix) and n}
    fits = occupancy(launch.gpu, prod(launch.block), launch.shared, launch.registers)
    limits = roofline(launch.gpu, prod(launch.grid), counters, kinds)
    return Profile(launch.kernel, launch.grid, launch.block, counters, kinds, tuple(lines), fits, limits, ptx)
