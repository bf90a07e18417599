# SPDX-License-Identifier: Apache-2.0
"""Loops of a kernel inside the loop over work-items, and outside: the 8 x 8 DCT of pocl-2014, 6.4 and Table 2.

On a machine with these units, cycles per multiplication in the block that multiplies most, and operations per cycle,
of scalar code. LLVM's vectorisers are off there, as they are for pocl's static multi-issue machine.
"""

from typing import Final, NamedTuple

from lanewise.llvm import LlvmModule
from lanewise.pipelines.target import CpuTarget

from .generated import work_group_ir
from .samples import sample
from .schedule import Block, blocks, cycles, unrolled

MAPPINGS: Final = {"off": "loop:outside", "on": "loop"}
ITERATIONS: Final = {"off": 8, "on": 64}
"""Iterations of the innermost loop that are scheduled together: the eight terms of a work-item's sum, or a term of the
64 work-items of a group."""
LATENCIES: Final = (1, 3, 5)
"""Cycles of loads and of float operations. The paper has none."""


class Issue(NamedTuple):
    """The block that multiplies most, on Table 2's machine with one latency."""

    multiplications: int
    cycles: int
    operations_per_cycle: float

    @property
    def per_multiplication(self) -> float:
        return self.cycles / self.multiplications


def scalar_code(mapping: str, target: CpuTarget) -> str:
    """LLVM IR of the DCT's work-group function, optimised without vectors."""
    dct = sample("DCT")
    ir = work_group_ir(dct.source, dct.name, (8, 8), mapping, target, fused=False)
    module = LlvmModule.parse(ir)
    target.machine.claim(module)
    target.machine.optimise(module, vectorise=False, slp=False)
    return module.text()


def issue(ir: str, iterations: int, latency: int) -> Issue:
    """Schedule the block that multiplies most."""
    loop: Block = max(blocks(ir), key=lambda each: (each.multiplications, each.issued))
    block = unrolled(loop, iterations // max(1, loop.multiplications))
    took = cycles(block, dict.fromkeys(("add", "multiply", "memory"), latency))
    return Issue(block.multiplications, took, block.issued / took)


def table(target: CpuTarget) -> str:
    """The table of both, by latency."""
    codes = {name: scalar_code(mapping, target) for name, mapping in MAPPINGS.items()}
    lines = [
        "| latency | cycles per multiplication, off | on | times | operations per cycle, off | on |",
        "| --: | --: | --: | --: | --: | --: |",
    ]
    for latency in LATENCIES:
        off, on = (issue(codes[name], ITERATIONS[name], latency) for name in MAPPINGS)
        cells = [off.per_multiplication, on.per_multiplication, off.per_multiplication / on.per_multiplication]
        cells += [off.operations_per_cycle, on.operations_per_cycle]
        lines.append(f"| {latency} | {' | '.join(f'{cell:.2f}' for cell in cells)} |")
    return "\n".join(lines)
