# SPDX-License-Identifier: Apache-2.0
"""Occupancy, and the limits that a launch meets on a GPU: a bound on its time for each, the largest of which rules.

    blocks of a multiprocessor = the least that warps, block slots, registers and shared memory allow
    seconds of a limit         = what the launch needs of it / what the GPU's busy multiprocessors give in a second

Source: CUDA C++ Best Practices Guide, "Occupancy", and CUDA C++ Programming Guide, "Multiprocessor Level"; S. Williams,
A. Waterman, D. Patterson, "Roofline: An Insightful Visual Performance Model" (2009).
"""

from collections.abc import Mapping
from math import ceil
from typing import Final, NamedTuple

from lanewise.device.gpus import Gpu
from lanewise.program.profile.registers import ThreadRegisters

WARP: Final = 32
_REGISTER_UNIT: Final = 256
"""ThreadRegisters are given to a warp by so many."""
_SHARED_UNIT: Final = 128
_WAVEFRONTS: Final = 1
"""Wavefronts of shared memory a clock and multiprocessor."""
_SECTORS: Final = 4
"""Sectors that the first cache delivers a clock and multiprocessor."""


class Occupancy(NamedTuple):
    """`warps` of the `most` that a multiprocessor may hold are resident, in `blocks`; `limit` keeps others out."""

    warps: int
    most: int
    blocks: int
    limit: str
    registers: ThreadRegisters


class Limit(NamedTuple):
    """A resource of the GPU, and the least time that the launch needs for it."""

    name: str
    seconds: float


class Roofline(NamedTuple):
    """The limits of a launch on a GPU, the one that takes longest first. It is no model of time: latencies, caches and
    the order of instructions are not in it."""

    gpu: str
    limits: tuple[Limit, ...]

    @property
    def bound(self) -> Limit:
        """The limit that the launch meets first."""
        return self.limits[0]


def occupancy(gpu: Gpu, threads: int, shared: int, registers: ThreadRegisters) -> Occupancy:
    """The occupancy of blocks of so many threads, with so many bytes of shared memory each."""
    warps = ceil(threads / WARP)
    of_warp = ceil(registers.number * WARP / _REGISTER_UNIT) * _REGISTER_UNIT
    of_block = ceil((shared + gpu.reserved_bytes_of_block) / _SHARED_UNIT) * _SHARED_UNIT
    limits = {
        "warps": gpu.warps // warps,
        "blocks": gpu.blocks,
        "registers": gpu.registers // (of_warp * warps),
        "shared memory": gpu.shared_bytes // of_block if of_block else gpu.blocks,
    }
    limit = min(limits, key=lambda name: limits[name])
    return Occupancy(limits[limit] * warps, gpu.warps, limits[limit], limit, registers)


def roofline(gpu: Gpu, blocks: int, counters: Mapping[str, int], instructions: Mapping[str, int]) -> Roofline:
    """The limits of a launch with these counters. Multiprocessors without a block are idle; every sector comes from
    memory."""
    clocks = gpu.clock * max(1, min(gpu.multiprocessors, blocks))
    sectors = sum(counters[f"global_{kind}_sectors"] for kind in ("load", "store", "atomic"))
    wavefronts = sum(counters[f"shared_{kind}_wavefronts"] for kind in ("load", "store", "atomic"))
    limits = [
        Limit("global memory", 32 * sectors / gpu.bandwidth),
        Limit("first cache", sectors / (_SECTORS * clocks)),
        Limit("shared memory", wavefronts / (_WAVEFRONTS * clocks)),
        Limit("instructions", counters["warp_instructions"] / (gpu.schedulers * clocks)),
        *(
            Limit(name, WARP * instructions.get(kind, 0) / (rate * clocks))
            for name, kind, rate in (
                ("single precision", "fp32", gpu.fp32),
                ("double precision", "fp64", gpu.fp64),
                ("special functions", "special", gpu.special),
            )
        ),
    ]
    return Roofline(gpu.name, tuple(sorted(limits, key=lambda limit: -limit.seconds)))
