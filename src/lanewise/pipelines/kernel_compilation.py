# SPDX-License-Identifier: Apache-2.0
"""Facts about a kernel on its way through the CPU's pipeline: what is asked for, and what steps tell each other."""

from __future__ import annotations

from typing import Final, final

from lanewise.analysis.traffic import Traffic
from lanewise.pipelines.target import CpuTarget, host_target
from lanewise.workgroup.function import WorkGroupFunction
from lanewise.workgroup.launch_assumptions import ALL, LaunchAssumptions
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.layout.out_of_line import NONE, OutOfLine
from lanewise.workgroup.mapping import AUTO, Mapping


@final
class KernelCompilation:
    """A kernel on its way through the pipeline: what is asked for, and what the steps found out."""

    def __init__(
        self,
        symbol: str,
        block: Extent | None = None,
        assumptions: LaunchAssumptions = ALL,
        fused: bool = True,
        mapping: Mapping = AUTO,
        explain: bool = False,
        target: CpuTarget | None = None,
        repeated: OutOfLine = NONE,
    ) -> None:
        self.symbol: Final = symbol
        self.block: Final = block
        self.assumptions: Final = assumptions
        self.fused: Final = fused
        self.mapping: Final = mapping
        self.explain: Final = explain
        self.target: Final = target or host_target()
        self.repeated: Final = repeated
        """The repeated functions of the program, if its source only declares them."""
        self.out_of_line: OutOfLine = NONE
        self.flush_denormals = False
        """The program asks for denormals to count as 0."""
        self.counts_groups = False
        """The kernel is in OpenCL C and may ask for the groups along y and z."""
        self.is_large = False
        """It reaches more than `MANY` instructions."""
        self.noalias: tuple[int, ...] = ()
        """Numbers of the parameters whose arrays are taken to overlap no other."""
        self.says_how_to_unroll = False
        """The program, as it came, has a loop with `#pragma unroll` and a number of turns."""
        self.unrolls = False
        """Loops are marked to be unrolled as a whole."""
        self.marks_global_ids = False
        """Some global ids are taken not to overflow."""
        self.traffic: Traffic | None = None
        """The arrays that are read and written, with `explain`."""
        self.made: WorkGroupFunction | None = None
