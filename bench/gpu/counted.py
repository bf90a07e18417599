# SPDX-License-Identifier: Apache-2.0
"""A launch on the simulated GPU with counters, and SASS weighed by them.

A block of SASS is executed as often as most of its instructions' lines of PTX are. Lines count that are in as many
loops as the block: what ptxas moved out of a loop bears the line of the loop. Predicated instructions don't, since a
branch that became predicates is executed whole. ptxas's own functions for floating-point numbers, such as
`$__internal_0_$__cuda_sm20_div_rn_f64_full`, are for operands that the code in line can't take, such as denormals: they
and the calls of them count as never executed. Its functions for integers are executed as often as they are called.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from statistics import median_low
from typing import Any, Final, NamedTuple, final

import numpy as np

import lanewise as lw
from lanewise.device.gpus import GPUS, Gpu
from lanewise.frontend.ptx.unit import counting_unit
from lanewise.frontend.source import Source
from lanewise.frontend.text_unit import TextUnit
from lanewise.program.module import Module
from lanewise.program.profile.counting import OPTIONS, CountingKernel, ProfiledKernel
from lanewise.session import session_of_this_process

from .problem import Launch
from .sass import Block, Instruction, Listing
from .woven import FILE, entry_name

WARP: Final = 32


@final
class Trusted(TextUnit):
    """PTX that a compiler has just made: it is no risk to this process, and needs no other one."""

    @property
    def is_foreign(self) -> bool:
        return False


class Counts(NamedTuple):
    """`lines`: warp instructions by line of PTX. `counters`: the totals of `lanewise profile`, by name."""

    lines: Mapping[int, int]
    counters: Mapping[str, int]
    arrays: tuple[np.ndarray[Any, Any], ...]
    """The launch's arrays, as they are after it."""


def gpu_of(arch: str) -> Gpu:
    """The GPU that stands for an architecture. KeyError if none does."""
    return {gpu.arch: gpu for gpu in GPUS.values()}[arch]


@functools.cache
def _device_of(arch: str) -> lw.Device:
    """The simulated GPU of an architecture."""
    return lw.device("simt", gpu=next(name for name, gpu in GPUS.items() if gpu.arch == arch))


def counted(ptx: str, launch: Launch) -> Counts:
    """Run PTX with one kernel, and count what its warps execute, on a simulated GPU of the PTX's target."""
    device = _device_of(ptx.partition(".target ")[2].split()[0].rstrip(","))
    source = Source(ptx, Path(FILE))
    unit = Trusted(*counting_unit((source,)))
    module = Module(unit, session_of_this_process(), OPTIONS)
    symbol = entry_name(ptx)
    kernel = module[symbol]
    arguments = launch.fresh()
    packed = ProfiledKernel(symbol, kernel.shared_bytes, kernel._packer.pack)
    counting = CountingKernel(module, (source,), symbol, {})
    extents = _three(launch.grid), _three(launch.block)
    profile = counting.profile(packed, extents, arguments, launch.shared, device, None)
    lines = {each.line: each.counters["warp_instructions"] for each in profile.lines}
    return Counts(lines, profile.counters, tuple(each for each in arguments if isinstance(each, np.ndarray)))


def dynamic(listing: Listing, lines: Mapping[int, int], depths: Mapping[int, int]) -> int:
    """Warp instructions of SASS in a launch that executes the lines of PTX so often; `depths`: loops around them."""
    times = executed(listing, lines, depths)
    return sum(count * len(block.instructions) for count, block in zip(times, listing.blocks, strict=True))


def dynamic_by_line(listing: Listing, lines: Mapping[int, int]) -> int:
    """The same, each instruction of SASS counted as often as its own line of PTX: simpler, and wrong where ptxas moves
    code out of loops, or makes predicates of branches."""
    return sum(lines.get(each.line, 0) for each, _ in listing.instructions())


def executed(listing: Listing, lines: Mapping[int, int], depths: Mapping[int, int]) -> list[int]:
    """How often each block is."""
    blocks = listing.blocks
    main = blocks[0].function
    found = [0 if block.function != main or _is_rare(block) else _of_block(block, lines, depths) for block in blocks]
    _pass_on(found, lines)
    calls: dict[str, int] = {}
    for count, block in zip(found, blocks, strict=True):
        last = block.instructions[-1]
        if last.is_call and last.target is not None and not _slow(last.target):
            calls[last.target] = calls.get(last.target, 0) + count
    # A function's own branches aren't told apart: each of its blocks is executed at each call.
    return [
        count if block.function == main else calls.get(block.function, 0)
        for count, block in zip(found, blocks, strict=True)
    ]


def _of_block(block: Block, lines: Mapping[int, int], depths: Mapping[int, int]) -> int:
    """-1 if no line says it."""
    known = [each for each in block.instructions if each.line]
    plain = [each for each in known if not each.guard]
    same_depth = [each for each in plain if depths.get(each.line, 0) == block.depth]
    for chosen in (same_depth, plain, known):
        if chosen:
            return median_low(lines.get(each.line, 0) for each in chosen)
    return -1


def _pass_on(found: list[int], lines: Mapping[int, int]) -> None:
    """Give blocks of no line the count of the block before them; the entry that of the first line
    that is executed, which all warps are at."""
    before = lines[min(lines)] if lines else 0
    for number, count in enumerate(found):
        if count < 0:
            found[number] = before
        before = found[number]


def _is_rare(block: Block) -> bool:
    last: Instruction = block.instructions[-1]
    return last.is_call and last.target is not None and _slow(last.target)


def _slow(function: str) -> bool:
    return "_f32" in function or "_f64" in function


def _three(size: tuple[int, ...]) -> tuple[int, int, int]:
    x, y, z = (*size, 1, 1)[:3]
    return x, y, z
