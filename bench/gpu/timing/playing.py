# SPDX-License-Identifier: Apache-2.0
"""Plays a packed folder on a GPU: compares what compilers' kernels compute, and times them.

Compilers take turns, each round beginning with another one, so that what drifts, such as clocks, meets all of them.
Before each measurement arrays that the kernel writes hold what they held at first, and the caches nothing of use. A
measurement has as many launches in a row as a fifth of a millisecond takes. The first compiler runs twice in each
round, from two modules: how far these two are apart is the noise.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import numpy as np

from lanewise.errors import Error

from ..problem import Array, Kernel, Launch
from ..suite import kernel
from . import large
from .driver import Gpu, packed
from .outputs import difference, same_bits
from .records import record

INDEX: Final = "index.json"
"""The index of a packed folder: for each kernel its group, the types of its parameters and, by compiler, file and entry
point of its machine code; `small`: the file of what the device `cpu` computes at the size of the simulated GPU."""
AGAIN: Final = "again"
"""The first compiler's second module."""
SAME_BITS: Final = "same bits"
"""Lanewise with math="same-bits", which is compared and not timed."""
_SHORTEST: Final = 0.2
"""Milliseconds of a measurement, at least."""
_PATIENCE: Final = 120
"""Seconds that a kernel has, with all that belongs to it."""
_AHEAD: Final = 3
"""Kernels whose arrays are made while another one runs."""
_GROUPS: Final[Mapping[str, Mapping[str, Kernel]]] = {
    "suite": large.SUITE,
    "held out": large.HELD_OUT,
    "looked at": large.HELD_OUT,
    "KernelGen": large.KERNELS,
}


@dataclass
class _Arrays:
    """The arrays of a launch on the GPU. `pristine` are copies of those that a kernel writes, by place."""

    launch: Launch
    memory: dict[int, Any]
    pristine: dict[int, Any]

    @classmethod
    def of(cls, gpu: Gpu, launch: Launch) -> _Arrays:
        arrays = {place: each for place, each in enumerate(launch.arguments) if isinstance(each, np.ndarray)}
        return cls(launch, {place: gpu.upload(each) for place, each in arrays.items()}, {})

    def values(self) -> list[Any]:
        return [self.memory.get(place, each) for place, each in enumerate(self.launch.arguments)]

    def array(self, place: int) -> Array:
        found = self.launch.arguments[place]
        assert isinstance(found, np.ndarray)
        return found

    def restore(self, gpu: Gpu) -> None:
        for place, memory in self.pristine.items():
            gpu.copy(self.memory[place], memory, self.array(place).nbytes)

    def written(self, gpu: Gpu) -> dict[int, Array]:
        """The arrays that have changed, as they are now; they are restored from now on."""
        found: dict[int, Array] = {}
        for place, memory in self.memory.items():
            after, before = gpu.download(memory, self.array(place)), self.array(place)
            if not same_bits(after, before):
                found[place] = after
                if place not in self.pristine:
                    self.pristine[place] = gpu.upload(before)
        return found

    def nbytes(self) -> int:
        """Bytes that a launch reads and writes at least: those of all arrays, and again those of arrays that it
        changes, unless they hold zeros at first, and are taken for results."""
        changed = [self.array(place) for place in self.pristine]
        read_too = [each for each in changed if each.view(np.uint8).any()]
        return sum(self.array(place).nbytes for place in self.memory) + sum(each.nbytes for each in read_too)

    def free(self, gpu: Gpu) -> None:
        for memory in [*self.memory.values(), *self.pristine.values()]:
            gpu.free(memory)


def play(folder: Path, chosen: Sequence[str], only: Sequence[str], rounds: int, out: Path) -> None:
    """Write the numbers of each kernel, for `tables`, into the file `out`, which grows by each. `only`: some compilers;
    all if empty. lanewise.Error without a GPU.

    After a fault the driver accepts no calls of a process any more: kernels run in one that is replaced then."""
    index = record(folder / INDEX, "kernels", "the index of a packed folder")
    gpu = _in_process(_describe, ())
    rows = [row for row in index["kernels"] if not chosen or row["name"] in chosen]
    found: list[dict[str, Any]] = []

    def keep(row: dict[str, Any]) -> None:
        found.append(row)
        out.write_text(json.dumps({**gpu, "arch": index["arch"], "kernels": found}) + "\n")
        print(row["name"], row.get("failure", ""), end=" ", file=sys.stderr, flush=True)

    while len(found) < len(rows):
        _until_failure(folder, rows[len(found) :], only, rounds, keep)


def _describe() -> dict[str, Any]:
    gpu = Gpu()
    return {"gpu": gpu.name, "copy": gpu.copy_speed()}


def _in_process(work: Any, arguments: tuple[Any, ...]) -> Any:
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


def _until_failure(
    folder: Path,
    rows: Sequence[Mapping[str, Any]],
    only: Sequence[str],
    rounds: int,
    keep: Callable[[dict[str, Any]], None],
) -> None:
    """Keep the numbers of rows, by a process of their own, up to one that fails; what that one says is its row."""
    here, there = get_context("spawn").Pipe(duplex=False)
    process = get_context("spawn").Process(target=_play_rows, args=(there, folder, rows, only, rounds), daemon=True)
    process.start()
    there.close()
    for row in rows:
        try:
            said = here.recv() if here.poll(_PATIENCE) else {"failure": f"no end within {_PATIENCE} s"}
        except EOFError:
            said = {"failure": "the process ended"}
        keep({"group": row["group"], "name": row["name"], **said})
        if "failure" in said:
            break
    process.kill()
    process.join()


def _play_rows(
    to: Connection, folder: Path, rows: Sequence[Mapping[str, Any]], only: Sequence[str], rounds: int
) -> None:
    try:
        gpu = Gpu()
        with ThreadPoolExecutor(_AHEAD) as pool:
            waiting = [pool.submit(_launch, row) for row in rows[:_AHEAD]]
            for number, row in enumerate(rows):
                launch = waiting.pop(0).result()
                if number + _AHEAD < len(rows):
                    waiting.append(pool.submit(_launch, rows[number + _AHEAD]))
                to.send(_played(gpu, folder, row, launch, only, rounds))
    except Error as error:
        to.send({"failure": str(error)})


def _launch(row: Mapping[str, Any]) -> Launch:
    return _GROUPS[row["group"]][row["name"]].launch()


def _exact(gpu: Gpu, folder: Path, row: Mapping[str, Any]) -> dict[str, float]:
    """Distances of the small launch's arrays from those of the device `cpu`, by compiler."""
    expected = dict(np.load(folder / row["small"]))
    launch = kernel(row["name"]).launch()
    found: dict[str, float] = {}
    for name, made in row["compilers"].items():
        arrays = _Arrays.of(gpu, launch)
        function = gpu.function((folder / made["file"]).read_bytes(), made["entry"])
        gpu.start(function, launch, packed(arrays.values(), row["parameters"]))
        gpu.wait()
        found[name] = max(
            difference(gpu.download(memory, arrays.array(place)), expected.get(str(place), arrays.array(place)))
            for place, memory in arrays.memory.items()
        )
        arrays.free(gpu)
    return found


def _played(
    gpu: Gpu, folder: Path, row: Mapping[str, Any], launch: Launch, only: Sequence[str], rounds: int
) -> dict[str, Any]:
    small = _exact(gpu, folder, row) if "small" in row and not only else {}
    wanted = {name: made for name, made in row["compilers"].items() if name != SAME_BITS}
    chosen = {name: made for name, made in wanted.items() if not only or name in only}
    functions = {
        name: gpu.function((folder / made["file"]).read_bytes(), made["entry"]) for name, made in chosen.items()
    }
    for function in functions.values():
        gpu.allow_shared(function, launch.shared)
    arrays = _Arrays.of(gpu, launch)
    values = packed(arrays.values(), row["parameters"])
    differences = _compared(gpu, arrays, functions, values)
    names = list(functions)
    first = names[0]
    functions[AGAIN] = gpu.function((folder / chosen[first]["file"]).read_bytes(), chosen[first]["entry"])
    gpu.allow_shared(functions[AGAIN], launch.shared)
    arrays.restore(gpu)
    times = max(1, int(np.ceil(_SHORTEST / gpu.milliseconds(functions[first], launch, values, 1))))
    milliseconds: dict[str, list[float]] = {name: [] for name in functions}
    turns = list(functions)
    for each in range(rounds):
        for name in turns[each % len(turns) :] + turns[: each % len(turns)]:
            arrays.restore(gpu)
            milliseconds[name].append(gpu.milliseconds(functions[name], launch, values, times))
    nbytes = arrays.nbytes()
    arrays.free(gpu)
    return {
        "launches": times, "bytes": nbytes, "milliseconds": milliseconds,
        "difference": differences, "small": small,
    }  # fmt: skip


def _compared(gpu: Gpu, arrays: _Arrays, functions: Mapping[str, Any], values: Any) -> dict[str, float]:
    """How far the arrays of each compiler are from those of the first."""
    reference: dict[int, Array] | None = None
    found: dict[str, float] = {}
    for name, function in functions.items():
        arrays.restore(gpu)
        gpu.start(function, arrays.launch, values)
        gpu.wait()
        after = arrays.written(gpu)
        reference = after if reference is None else reference
        found[name] = max(
            (
                difference(after.get(place, arrays.array(place)), reference.get(place, arrays.array(place)))
                for place in {**after, **reference}
            ),
            default=0.0,
        )
    return found
