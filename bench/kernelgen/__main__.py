# SPDX-License-Identifier: Apache-2.0
"""Table 2 of PTXASW (CC 2023) anew: python -m bench.kernelgen [KERNEL ...] [--arch sm_80]

The kernels of the suite are compiled by Lanewise and, where it is installed, by nvcc, each as a thread per point and in
loops; shuffles are synthesised wherever they can be; ptxas, where it is installed, says how many registers each version
of the code needs. Without the names of kernels the tables go to docs/kernelgen.md.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import lanewise as lw
from lanewise.ptx.shuffles.report import KernelReport

from .assembled import MULTIPROCESSORS, occupancy, ptxas, registers
from .loops import in_loops
from .problem import Benchmark
from .suite import SUITE

_DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "kernelgen.md"
_BEGIN, _END = "<!-- what python -m bench.kernelgen measured -->\n", "<!-- end of what it measured -->\n"
_RUNS: Final = 5
_VERSIONS: Final = {"NO LOAD": {"load": False}, "NO CORNER": {"corner": False}, "full": {}}
"""Of the code, as Figure 2 has them, beside the original."""


class Row(NamedTuple):
    """A kernel by one compiler."""

    benchmark: Benchmark
    report: KernelReport
    milliseconds: float
    """Processor time of analysis and synthesis: the median of several runs."""
    registers: dict[str, int | None]
    """By version of the code; empty without ptxas."""


def source_of(benchmark: Benchmark, loops: bool) -> str:
    """A thread per point, or in `loops` with bounds known at run time."""
    text = benchmark.source.read_text()
    return in_loops(text) if loops else text


def by_lanewise(source: str, arch: str) -> str:
    return lw.compile(source, language="cuda", arch=arch).ptx(arch=arch)


def by_nvcc(source: str, arch: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder, "kernel.cu"), Path(folder, "kernel.ptx")
        file.write_text(source)
        command = ["nvcc", "-ptx", f"-arch={arch}", str(file), "-o", str(out)]
        subprocess.run(command, check=True, capture_output=True)
        return out.read_text()


def measured(benchmark: Benchmark, text: str, arch: str, with_registers: bool = True) -> Row:
    module = lw.ptx.parse(text, f"{benchmark.name}.ptx")
    times: list[float] = []
    for _ in range(_RUNS):
        begin = time.process_time()
        (report,) = lw.ptx.synthesise_shuffles(module, always=True).kernels
        times.append(time.process_time() - begin)
    needed: dict[str, int | None] = {}
    if ptxas() and with_registers:
        needed["original"] = registers(text, arch)
        for name, options in _VERSIONS.items():
            needed[name] = registers(lw.ptx.synthesise_shuffles(module, always=True, **options).text, arch)
    return Row(benchmark, report, 1000 * statistics.median(times), needed)


def synthesis_table(rows: Sequence[tuple[Row, Row | None]]) -> Iterable[str]:
    yield "| kernel | paper: shuffles / loads | delta | ours | delta | ms | nvcc's | delta | ms |"
    yield "| --- | --: | --: | --: | --: | --: | --: | --: | --: |"
    for ours, theirs in rows:
        paper = ours.benchmark.paper
        cells = [ours.benchmark.name, f"{paper.shuffles} / {paper.loads}", _delta(paper.delta)]
        for row in (ours, theirs):
            if row is None:
                cells += ["", "", ""]
            else:
                counts = f"{row.report.shuffles} / {row.report.loads}"
                cells += [counts, _delta(row.report.mean_delta), f"{row.milliseconds:.0f}"]
        yield f"| {' | '.join(cells)} |"


def register_table(rows: Sequence[Row], arch: str) -> Iterable[str]:
    names = ("original", *_VERSIONS)
    yield f"| kernel | threads | {' | '.join(names)} |"
    yield f"| --- | --: | {' | '.join('--:' for _ in names)} |"
    for row in rows:
        cells = [_with_occupancy(row.registers.get(name), row.benchmark.width, arch) for name in names]
        yield f"| {row.benchmark.name} | {row.benchmark.width} | {' | '.join(cells)} |"


def _with_occupancy(count: int | None, threads: int, arch: str) -> str:
    return "refused" if count is None else f"{count} ({100 * occupancy(count, threads, arch):.0f} %)"


def _delta(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def document(rows: Sequence[tuple[Row, Row | None]], looped: Sequence[tuple[Row, Row | None]], arch: str) -> str:
    lines = ["A thread per point:", "", *synthesis_table(rows), ""]
    lines += ["In loops with bounds known at run time:", "", *synthesis_table(looped), ""]
    if rows[0][0].registers:
        lines += [f"Registers a thread, and occupancy, by ptxas for {arch}, of the PTX that Lanewise makes:", ""]
        lines += register_table([ours for ours, _ in rows], arch)
    return "\n".join(lines) + "\n"


def _rows(chosen: Sequence[Benchmark], arch: str, loops: bool) -> list[tuple[Row, Row | None]]:
    nvcc = shutil.which("nvcc")
    rows: list[tuple[Row, Row | None]] = []
    for benchmark in chosen:
        source = source_of(benchmark, loops)
        ours = measured(benchmark, by_lanewise(source, arch), arch, not loops)
        rows.append((ours, measured(benchmark, by_nvcc(source, arch), arch, with_registers=False) if nvcc else None))
    return rows


def main(names: Sequence[str], arch: str) -> None:
    chosen = [benchmark for benchmark in SUITE if not names or benchmark.name in names]
    text = document(_rows(chosen, arch, loops=False), _rows(chosen, arch, loops=True), arch)
    print(text, end="")
    if not names:
        old = _DOCUMENT.read_text()
        before, _, rest = old.partition(_BEGIN)
        _DOCUMENT.write_text(f"{before}{_BEGIN}\n{text}\n{_END}{rest.partition(_END)[2]}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.kernelgen")
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", choices=[*(b.name for b in SUITE), []])
    parser.add_argument("--arch", default="sm_80", choices=sorted(MULTIPROCESSORS))
    options = parser.parse_args()
    main(options.kernels, options.arch)
