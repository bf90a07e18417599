# SPDX-License-Identifier: Apache-2.0
"""Code for a processor that need not be here: work-group functions as LLVM IR and as assembly."""

import re
from typing import Any, Final, NamedTuple

import lanewise as lw
from lanewise.backend.host.compile import assembly
from lanewise.device.capabilities import Capabilities
from lanewise.device.program import Program
from lanewise.ir.writer import write_module
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.pipelines.target import AARCH64, CpuTarget, host_target
from lanewise.workgroup.mapping import mapping_of

TARGETS: Final = {"host": host_target, "aarch64": lambda: AARCH64}
_VECTOR: Final = re.compile(r"\b(v\d+\.\d+[bhsd]|q\d+|[xyz]mm\d+)\b")
_SCALAR_X86: Final = re.compile(r"^v?\w+s[sd]\b|^v?mov[dq]\b")
_CALL: Final = re.compile(r"^(bl|blr|call\w*)\b")


class Counts(NamedTuple):
    """Instructions of a kernel's code."""

    all: int
    vector: int
    """Instructions with vector registers, without x86's scalar arithmetic in them."""
    calls: int


class _Taker:
    """A device that gives a program back, in place of opening it."""

    name = "taker"
    capabilities = Capabilities()

    def open(self, program: Program) -> Any:
        return program


def work_group_ir(
    source: str,
    kernel: str,
    block: tuple[int, ...],
    mapping: str,
    target: CpuTarget,
    *,
    options: str = "",
    fused: bool = True,
) -> str:
    """LLVM IR of the work-group function of a kernel in OpenCL C for a local size. `fused`: multiplications and
    additions may be one operation."""
    program: Program = lw.compile(source, language="opencl", options=options).opened(_Taker())  # pyright: ignore[reportArgumentType] : it opens nothing
    extent = (*block, 1, 1)[:3]
    text = program.linked(fused=fused)
    made = compile_for_cpu(text, kernel, extent, fused=fused, mapping=mapping_of(mapping), target=target)
    return write_module(made.module)


def counts(ir: str, target: CpuTarget) -> Counts:
    """Count the instructions that LLVM makes of a work-group function."""
    lines = [line.strip() for line in assembly(ir, target.machine).splitlines() if line.startswith("\t")]
    code = [line for line in lines if not line.startswith((".", "#", "//"))]
    vector = [line for line in code if _VECTOR.search(line) and not _SCALAR_X86.match(line)]
    return Counts(len(code), len(vector), sum(1 for line in code if _CALL.match(line)))
