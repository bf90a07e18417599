# SPDX-License-Identifier: Apache-2.0
"""Tables of what was played, for a terminal and for docs/gpu.md.

A speed is the median, over rounds, of the other compiler's time by that of Lanewise in the same round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any, Final

import numpy as np

from ...cpu.geometric import mean
from ..document import KERNELGEN, replace_part
from .playing import AGAIN, SAME_BITS

_MARKS: Final = ("<!-- what python -m bench.gpu.timing measured -->\n", "<!-- end of the times -->\n")
_OURS, _NVCC, _LLVM = "lanewise", "nvcc", "llvm"
_BOUND_BY_MEMORY: Final = 0.6
"""Share of the speed of a copy from which memory is what bounds a kernel."""
_SLOW: Final = 0.95
_CLOSE: Final = 1e-3
_GROUPS: Final = {"suite": "the suite", "held out": "held out", "looked at": "looked at since"}

Row = Mapping[str, Any]


def speed(row: Row, of: str, to: str) -> float | None:
    """How many times as fast `of` is as `to`; None if one of them wasn't timed."""
    times = row.get("milliseconds", {})
    if of not in times or to not in times:
        return None
    return median(b / a for a, b in zip(times[of], times[to], strict=True))


def document(found: Mapping[str, Any], sass: Mapping[str, float] | None = None) -> Iterator[str]:
    """Lines of Markdown. `sass`: dynamic SASS by that of nvcc, by kernel, to compare its order with that of times."""
    rows: Sequence[Row] = found["kernels"]
    yield f"{found['gpu']}, machine code for {found['arch']}; a copy moves {found['copy'] / 1e12:.2f} TB/s."
    yield ""
    yield from _summary(rows, found["copy"])
    yield ""
    yield from _remarks(rows, sass or {})
    for group, shown in _played(rows).items():
        yield from ["", f"Each kernel, {shown}:", "", *_each(rows, group, found["copy"], sass or {})]


def kernelgen(found: Mapping[str, Any]) -> Iterator[str]:
    """Lines of Markdown: the speed of each version of PTXASW's Figure 2 to the original, of PTX by two compilers."""
    yield f"{found['gpu']}; by each compiler, how many times as fast as the original:"
    yield ""
    yield from _kernelgen(found["kernels"])


def dynamic_sass(found: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Dynamic SASS by nvcc's, by kernel, of what `python -m bench.gpu --json` wrote last."""
    rows = found[-1]["kernels"]
    return {row["name"]: row[_OURS]["dynamic"] / row[_NVCC]["dynamic"] for row in rows if row[_NVCC]["dynamic"]}


def write(found: Mapping[str, Any], sass: Mapping[str, float]) -> None:
    """Replace the parts of docs/gpu.md and docs/kernelgen.md."""
    replace_part(_MARKS, list(document(found, sass)))
    replace_part(_MARKS, list(kernelgen(found)), KERNELGEN)


def share(row: Row, copy: float, of: str = _NVCC) -> float:
    """The bytes of all arrays, those that are written twice, per second, by the speed of a copy."""
    return row["bytes"] / (median(row["milliseconds"][of]) / 1000) / copy


def _played(rows: Sequence[Row]) -> dict[str, str]:
    """The groups that rows are of, and how tables name them."""
    found = {row["group"] for row in rows}
    return {group: shown for group, shown in _GROUPS.items() if group in found}


def _timed(rows: Sequence[Row], group: str) -> list[Row]:
    return [row for row in rows if row["group"] == group and speed(row, _OURS, _NVCC) is not None]


def _summary(rows: Sequence[Row], copy: float) -> Iterator[str]:
    yield "| kernels | number | to nvcc | to LLVM with our switches | least | greatest | to itself |"
    yield "| --- | --: | --: | --: | --: | --: | --: |"
    for group, shown in _played(rows).items():
        timed = _timed(rows, group)
        below = [row for row in timed if share(row, copy) < _BOUND_BY_MEMORY]
        yield _means(shown, timed)
        yield _means(f"{shown}, below {_BOUND_BY_MEMORY:.0%} of a copy's speed", below)


def _means(shown: str, rows: Sequence[Row]) -> str:
    to_nvcc = [speed(row, _OURS, _NVCC) or 0 for row in rows]
    to_llvm = [each for row in rows if (each := speed(row, _OURS, _LLVM)) is not None]
    noise = [each for row in rows if (each := speed(row, _OURS, AGAIN)) is not None]
    numbers = (mean(to_nvcc), mean(to_llvm), min(to_nvcc, default=0), max(to_nvcc, default=0))
    return f"| {shown} | {len(rows)} | {' | '.join(f'{each:.3f}' for each in numbers)} | {mean(noise):.3f} |"


def _remarks(rows: Sequence[Row], sass: Mapping[str, float]) -> Iterator[str]:
    pairs = {row["name"]: speed(row, _OURS, AGAIN) or 1 for group in _GROUPS for row in _timed(rows, group)}
    if pairs:
        apart = {name: abs(each - 1) for name, each in pairs.items()}
        worst = max(apart, key=apart.__getitem__)
        yield (
            f"* Noise: the same machine code from two modules is {median(apart.values()):.2%} apart in the median, at "
            f"most {apart[worst]:.1%} (`{worst}`)."
        )
    for group in _played(rows):
        slow = [(s, row["name"]) for row in _timed(rows, group) if (s := speed(row, _OURS, _NVCC) or 0) < _SLOW]
        shown = ", ".join(f"`{name}` {each:.2f}" for each, name in sorted(slow)) or "none"
        yield f"* Below {_SLOW} of nvcc, {_GROUPS[group]}: {shown}."
    exact = [row for row in rows if row.get("small")]
    wrong = [row["name"] for row in exact if row["small"].get(SAME_BITS) != 0]
    told = f", but for {', '.join(f'`{name}`' for name in wrong)}" if wrong else ""
    yield f'* `math="same-bits"`: {len(exact) - len(wrong)} of {len(exact)} kernels compute the bits of the CPU{told}.'
    far = [row["name"] for row in rows if _difference(row) > _CLOSE]
    told = ", ".join(f"`{name}`" for name in far) or "none"
    yield f"* Results that differ by more than {_CLOSE} of the greatest from compiler to compiler: {told}."
    failed = [f"`{row['name']}` ({row['failure']})" for row in rows if "failure" in row]
    yield f"* Failed: {', '.join(failed) or 'none'}."
    both = [
        (sass[row["name"]], 1 / (speed(row, _OURS, _NVCC) or 1)) for row in _timed(rows, "suite") if row["name"] in sass
    ]
    if len(both) > 2:
        yield f"* Order of dynamic SASS and of times, to nvcc: a rank correlation of {_rank_correlation(both):.2f}."


def _difference(row: Row) -> float:
    """The greatest difference of results. "No load" and "no corner" leave out what makes shuffles right."""
    whole = [each for name, each in row.get("difference", {}).items() if ", no " not in name]
    return max(whole, default=0)


def _rank_correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Spearman's."""
    ranks = [np.argsort(np.argsort(np.array(values))) for values in zip(*pairs, strict=True)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _each(rows: Sequence[Row], group: str, copy: float, sass: Mapping[str, float]) -> Iterator[str]:
    yield "| kernel | ms | nvcc, ms | to nvcc | to LLVM | to itself | share of a copy's speed | dynamic SASS |"
    yield f"| --- |{' --: |' * 7}"
    for row in _timed(rows, group):
        times = [median(row["milliseconds"][name]) for name in (_OURS, _NVCC)]
        speeds = [speed(row, _OURS, to) for to in (_NVCC, _LLVM, AGAIN)]
        cells = [f"{each:.3f}" for each in times] + ["-" if each is None else f"{each:.2f}" for each in speeds]
        dynamic = f"{sass[row['name']]:.2f}" if row["name"] in sass else "-"
        yield f"| {row['name']} | {' | '.join(cells)} | {share(row, copy):.2f} | {dynamic} |"


def _kernelgen(rows: Sequence[Row]) -> Iterator[str]:
    versions = ("no load", "no corner", "full")
    head = [f"{compiler}, {version}" for compiler in (_OURS, _NVCC) for version in versions]
    yield f"| kernel | lanewise, ms | {' | '.join(head)} |"
    yield f"| --- | --: |{' --: |' * len(head)}"
    for row in _timed(rows, "KernelGen"):
        cells = [f"{median(row['milliseconds'][_OURS]):.3f}"]
        for name in head:
            found = speed(row, name, name.partition(",")[0])
            cells.append("-" if found is None else f"{found:.2f}")
        yield f"| {row['name']} | {' | '.join(cells)} |"
