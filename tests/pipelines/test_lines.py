# SPDX-License-Identifier: Apache-2.0
"""Places in the source, from the front end to machine code: python -m pytest tests/pipelines/test_lines.py"""

import pytest

from lanewise.backend.host.compile import compile_shared_object
from lanewise.device.cpu.line_table import line_at
from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.ir.debug_info import DebugInfo
from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.strip_debug import strip_debug_info
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule
from lanewise.llvm.machine import Machine
from lanewise.llvm.objects import code_of
from lanewise.pipelines import cpu
from lanewise.pipelines.drive import View
from lanewise.pipelines.isolate import isolate_kernel
from lanewise.pipelines.lines import flatten_lines, keep_lines, text_without_lines
from lanewise.workgroup.mapping import mapping_of

SOURCE = """
#line 1 "dir/kernel.cu"
__device__ int twice(const int *in, int i) {
    int local = i;
    return 2 * in[local];                         // line 3
}
#line 1 "part.h"
__device__ int part(const int *in, int i) { return in[i]; }
#line 9 "dir/kernel.cu"
__global__ void k(int *out, const int *in) {
    int i = threadIdx.x;
    out[i] = twice(in, i)                         // line 11
        + part(in, i + 64);
    if (i > 7)
        atomicAdd(out, 3);                        // line 14
}
"""


@pytest.fixture(scope="module")
def text() -> str:
    return compile_cuda(Source(SOURCE), CudaOptions()).text


def _lines(module: Module, function: Function) -> set[tuple[str, int]]:
    info = DebugInfo(module.metadata)
    places = [info.location(i.metadata_of("!dbg") or "") for i in function.instructions()]
    return {(place.file, place.line) for place in places if place is not None}


def _kernel(module: Module) -> Function:
    (kernel,) = module.kernels
    return kernel


def test_only_what_may_fail_has_a_place(text: str):
    module = read_module(text)
    keep_lines(module)
    LlvmModule.parse(write_module(module))
    kernel = _kernel(module)
    assert _lines(module, kernel) == {("dir/kernel.cu", line) for line in (10, 11, 12, 14)}
    for instruction in kernel.instructions():
        placed = instruction.metadata_of("!dbg") is not None
        assert not placed or instruction.op in ("load", "store", "call", "atomicrmw")
    assert "DILocalVariable" not in write_module(module)


def test_functions_of_our_headers_have_none(text: str):
    module = read_module(text)
    keep_lines(module)
    placed = {f.symbol for f in module.functions if dict(f.metadata).get("!dbg")}
    assert placed == {"_Z5twicePKii", "_Z4partPKii", "_Z1kPiPKi"}


def test_what_is_inlined_keeps_its_place_and_needs_no_chain(text: str):
    module = read_module(text)
    isolate_kernel(module, "_Z1kPiPKi")
    module = cpu.simplify(module, "_Z1kPiPKi")
    kernel = module.function("_Z1kPiPKi")
    assert "inlinedAt" in write_module(module)
    flatten_lines(module)
    LlvmModule.parse(write_module(module))
    assert "inlinedAt" not in write_module(module)
    assert _lines(module, kernel) == {("dir/kernel.cu", 3), ("dir/kernel.cu", 11), ("dir/kernel.cu", 14), ("part.h", 1)}


def test_a_module_without_debug_information_stays_without(text: str):
    module = read_module(text)
    strip_debug_info(module)
    keep_lines(module)
    flatten_lines(module)
    assert "!dbg" not in write_module(module)
    assert text_without_lines(module) == write_module(module)


@pytest.mark.parametrize("block", [None, (64, 1, 1)])
@pytest.mark.parametrize("mapping", ["auto", "loop", "lanes:4"])
def test_machine_code_has_lines_and_is_the_same_without(text: str, mapping: str, block: tuple[int, int, int] | None):
    module = read_module(text)
    strip_debug_info(module)
    with_lines, without = (
        write_module(cpu.compile_for_cpu(each, "_Z1kPiPKi", block, mapping=mapping_of(mapping)).module)
        for each in (text, write_module(module))
    )
    code = [_machine_code(each) for each in (with_lines, without)]
    assert code[0] == code[1]
    shared_object = compile_shared_object(with_lines)
    found = {line_at(shared_object, offset) for offset in range(0x4000)} - {None}
    assert found == {("dir/kernel.cu", 3), ("dir/kernel.cu", 11), ("dir/kernel.cu", 14), ("part.h", 1)}
    assert line_at(compile_shared_object(without), 0x1300) is None


def _machine_code(ir: str) -> bytes:
    machine, module = Machine.host(), LlvmModule.parse(ir)
    machine.claim(module)
    machine.optimise(module)
    return code_of(machine.object(module))


def test_people_are_shown_no_lines(text: str):
    shown = [stage.text for stage in cpu.stages(text, "_Z1kPiPKi", (64, 1, 1), view=View(texts=None)) if stage.text]
    assert len(shown) > 5
    assert "!dbg" not in "".join(shown)
