# SPDX-License-Identifier: Apache-2.0
"""Kernels written as IR, taken apart the way `build_work_group_function` does it, or run on the CPU device."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanewise.analysis.uniformity import Uniformity, uniformity
from lanewise.config import Config
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.pipelines.cpu import compile_for_cpu, simplify
from lanewise.program.source.compilation import compile_source
from lanewise.session import Session
from lanewise.workgroup.function import WorkGroupFunction, prepare
from lanewise.workgroup.mapping import mapping_of
from lanewise.workgroup.regions.cuts import Cuts, find_cuts
from lanewise.workgroup.regions.live_values import LiveValues
from lanewise.workgroup.regions.regions import RegionGraph

DECLARATIONS = """
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.exit()
"""

BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
TID = "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"


def kernel_text(body: str, parameters: str = "ptr %out, ptr %in, i32 %n, i32 %m", more: str = "") -> str:
    """A module with kernel @k. In `body`, BARRIER and TID stand for what they are called here."""
    body = body.replace("BARRIER", BARRIER).replace("TID", TID)
    return f"{DECLARATIONS}{more}\ndefine ptx_kernel void @k({parameters}) {{\n{body}\n}}\n"


@dataclass(frozen=True)
class Parts:
    module: Module
    kernel: Function
    facts: Uniformity
    cuts: Cuts
    graph: RegionGraph
    live_values: LiveValues

    def value(self, name: str) -> Instruction:
        return next(i for i in self.kernel.instructions() if i.name == name)

    @property
    def slots(self) -> dict[str, str]:
        """How each kept value is kept: "group", or "item" for an element a work-item."""
        return {str(v.name): "item" if self.live_values.in_array(v) else "group" for v in self.live_values.slots}

    @property
    def entrances(self) -> dict[str, str]:
        return {
            str(p.name): "item" if self.live_values.entrance_in_array(p) else "group"
            for p in self.live_values.entrances
        }

    @property
    def late(self) -> set[str]:
        return {str(v.name) for live in self.live_values.live_ins.values() for v in live.late}

    @property
    def regions(self) -> list[str]:
        return str(self.graph).splitlines()


def parts(text: str, width: int = 64, *, simplified: bool = False) -> Parts:
    """The parts of kernel @k for groups of `width` work-items in x; with `simplified`, after LLVM's simplification, as
    it would be compiled."""
    module = read_module(text)
    kernel = module.function("k")
    if simplified:
        module = simplify(module, "k")
        kernel = module.function("k")
    prepare(module, kernel)
    facts = uniformity(kernel)
    cuts = find_cuts(kernel, facts, width)
    graph = RegionGraph(kernel, cuts, facts.exit_edges)
    return Parts(module, kernel, facts, cuts, graph, LiveValues(graph, facts))


def compiled(
    text: str, block: tuple[int, int, int] = (64, 1, 1), kernel: str = "k", mapping: str = "auto"
) -> WorkGroupFunction:
    return compile_for_cpu(text, kernel, block, mapping=mapping_of(mapping))


@functools.cache
def session() -> Session:
    """Devices without a compile cache."""
    return Session(Config(cache_dir=None, num_threads=2, device="cpu"))


def run(
    text: str,
    grid: int | tuple[int, ...],
    block: int | tuple[int, ...],
    *arguments: Any,
    language: str = "ir",
    kernel: str = "k",
    shared: int = 0,
    mappings: tuple[str, ...] = ("auto", "loop"),
) -> None:
    """Runs a kernel on the CPU device, mapped in several ways, and on the reference; fails where the arrays that it
    leaves differ."""
    results = {name: tuple(a.copy() if isinstance(a, np.ndarray) else a for a in arguments) for name in mappings}
    for mapping in mappings:
        module = compile_source(session(), text, language=language, mapping=mapping)
        module[kernel].launch(grid, block, results[mapping], shared=shared, device="cpu")
    module[kernel].launch(grid, block, arguments, shared=shared, device="reference")
    for mapping, left in results.items():
        for place, (found, wanted) in enumerate(zip(left, arguments, strict=True)):
            if isinstance(found, np.ndarray):
                assert found.tobytes() == wanted.tobytes(), f"{mapping}: argument {place}: {found}, reference {wanted}"
