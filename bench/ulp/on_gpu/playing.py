# SPDX-License-Identifier: Apache-2.0
"""Results of a packed folder's functions on the GPU that is here."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

from ...gpu.problem import Launch
from ...gpu.timing.driver import Gpu, packed
from ...gpu.timing.records import record
from .. import kernels, points
from ..table import rows
from . import sources
from .sources import INDEX

_AT_ONCE: Final = 1 << 28
_BLOCKS: Final = 132 * 16
_JUDGE: Final = ("u64", "u32", "u32", "u64", "u64", "u64")


def play(folder: Path, out: Path) -> None:
    """Write `floats.json` and `points.npz` into the folder `out`. lanewise.Error without a GPU."""
    index = record(folder / INDEX, "floats", "the index of a packed folder")
    gpu = Gpu()
    by_name = {row.name: row for row in rows()}
    code = {name: (folder / f"{name}.cubin").read_bytes() for name in ("floats", "floats-by-nvcc", "points", "judges")}
    results = gpu.call("cuMemAlloc", 4 * _AT_ONCE)
    found: list[dict[str, Any]] = []
    for number, name in enumerate(index["floats"]):
        judge = gpu.function(code["judges"], sources.judge(number))
        for by in ("floats", "floats-by-nvcc"):
            function = gpu.function(code[by], kernels.over_floats(number))
            found.append({"name": name, "by": by, **_every_float(gpu, function, judge, results)})
        print(name, end=" ", file=sys.stderr, flush=True)
    (out / "floats.json").write_text(json.dumps({"gpu": gpu.name, "floats": found}) + "\n")
    arrays: dict[str, Any] = {}
    for number, name in enumerate(index["points"]):
        function = gpu.function(code["points"], kernels.over_points(number))
        arrays[name] = np.concatenate(
            [_at_points(gpu, function, columns) for columns in points.chunks(by_name[name], sources.POINTS)]
        )
    np.savez_compressed(out / "points.npz", **arrays)


def _every_float(gpu: Gpu, function: Any, judge: Any, results: Any) -> dict[str, Any]:
    blank = np.zeros(4 + sources.WRONG, np.uint32)  # the worst, in 64 bits; how many are wrong, nothing; some of them
    said = gpu.upload(blank)
    launches = (Launch((_AT_ONCE // kernels.BLOCK,), (kernels.BLOCK,), ()), Launch((_BLOCKS,), (256,), ()))
    for first in range(0, 1 << 32, _AT_ONCE):
        gpu.start(function, launches[0], packed([results, first], ("u64", "u32")))
        places = [int(said) + 8 * place for place in (0, 1)]
        values = [results, first, _AT_ONCE, places[0], places[1], places[1] + 8]
        gpu.start(judge, launches[1], packed(values, _JUDGE))
    gpu.wait()
    worst, error, wrong, _, *some = gpu.download(said, blank)
    gpu.free(said)
    points = [worst, *some[: min(int(wrong), sources.WRONG)]]
    at = [_shown(each.view(np.float32)) for each in points]
    got = [_shown(_at_float(gpu, function, int(each))) for each in points]
    return {"error": float(error.view(np.float32)), "wrong": int(wrong), "at": at, "got": got}


def _shown(value: np.float32) -> str:
    return float(value).hex()


def _at_float(gpu: Gpu, function: Any, bits: int) -> np.float32:
    out = gpu.upload(np.zeros(kernels.BLOCK, np.float32))
    gpu.start(function, Launch((1,), (kernels.BLOCK,), ()), packed([out, bits], ("u64", "u32")))
    gpu.wait()
    found = gpu.download(out, np.zeros(kernels.BLOCK, np.float32))
    gpu.free(out)
    return found[0]


def _at_points(gpu: Gpu, function: Any, columns: points.Columns) -> Any:
    got = np.empty_like(columns[0])
    memory = [gpu.upload(each) for each in (got, *columns)]
    launch = Launch((-(-len(got) // kernels.BLOCK),), (kernels.BLOCK,), ())
    gpu.start(function, launch, packed([*memory, len(got)], [*["u64"] * len(memory), "u32"]))
    gpu.wait()
    found = gpu.download(memory[0], got)
    for each in memory:
        gpu.free(each)
    return found
