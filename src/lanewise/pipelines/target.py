# SPDX-License-Identifier: Apache-2.0
"""The processor that a kernel is compiled for: by default this host, or another one by its triple.

Code for another processor runs elsewhere: `tests/aarch64` makes some for 64-bit Arm and runs it under an emulator.
"""

import functools
from typing import Final, NamedTuple

from lanewise.llvm import Machine
from lanewise.workgroup.processor import Processor, first_cache_ways


class CpuTarget(NamedTuple):
    """A processor as both halves of the compiler see it."""

    machine: Machine
    """For LLVM's passes and its code generator."""
    processor: Processor
    """For the choice of how work-groups are mapped."""


AARCH64: Final = CpuTarget(
    Machine("aarch64-unknown-linux-gnu", "generic", "+neon"),
    Processor(
        lanes=4,
        nontemporal_stores=False,
        truncating_stores=False,
        masked_stores=False,
        unsigned_conversions=False,
        gathers_pairs=False,
        scales=False,
        saturates=True,
    ),
)
"""Any 64-bit Arm processor under Linux: Armv8-A with its vectors of 128 bits. It has fused multiply-add."""


_AMD: Final = "znver"
"""The beginning of LLVM's names of AMD's processors with AVX-512."""


@functools.cache
def host_target() -> CpuTarget:
    """This host."""
    machine = Machine.host()
    return CpuTarget(machine, _processor(machine))


def _processor(machine: Machine) -> Processor:
    """Facts about this host that decide how work-groups are mapped. x86-64 has the non-temporal stores that
    `workgroup/lanes/analysis/nontemporal.py` needs. Sixteen rows are faster than eight if the first cache has twelve
    ways, and slower if it has eight (gemv of bench/cpu, on EPYC 9005 and 9004)."""
    rows = 16 if first_cache_ways() >= 12 else 8
    avx512 = "+avx512f" in machine.features.split(",")
    gathers_pairs = avx512 and not machine.cpu.startswith(_AMD)
    x86 = machine.triple.startswith("x86_64")
    scales = avx512 and "+avx512vl" in machine.features.split(",")
    return Processor(_lanes(machine), x86, rows, avx512, avx512, avx512, gathers_pairs, scales)


def _lanes(machine: Machine) -> int:
    """Lanes of 32 bits in a vector: 16 with AVX-512, 8 with AVX2, 4 with SSE or NEON."""
    features = machine.features.split(",")
    if "+avx512f" in features and "+avx512vl" in features:
        return 16
    return 8 if "+avx2" in features else 4
