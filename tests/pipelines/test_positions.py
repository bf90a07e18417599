# SPDX-License-Identifier: Apache-2.0
"""Marks of positions: where they go, and where not."""

from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.reader import read_module
from lanewise.ir.values import Constant
from lanewise.ir.writer import write_module
from lanewise.llvm import verify
from lanewise.pipelines.positions import mark_positions
from lanewise.workgroup.layout.abi import POSITION_MARK

KERNEL = """__device__ int twice(const int *p) {
    return *p * 2;
}
__global__ void k(int *out, int n) {
    int a = n, b = a + 1;
    out[0] = a; out[1] = b;
    out[2] = b + threadIdx.x;
    atomicAdd(out, twice(out));
}
"""


def module(*options: str) -> Module:
    return read_module(compile_cuda(Source(KERNEL), CudaOptions(options=options)).text)


def marks(module: Module, symbol: str) -> list[tuple[str, str, int]]:
    """File, function and line of each mark of a function."""
    found: list[tuple[str, str, int]] = []
    for instruction in module.function(symbol).instructions():
        if instruction.op == "call" and instruction.callee == POSITION_MARK:
            file, function, line = instruction.operands[1:]
            assert isinstance(line, Constant)
            found.append((text(file), text(function), line.integer))
    return found


def text(string: object) -> str:
    assert isinstance(string, GlobalVariable)
    assert isinstance(string.initializer, Constant)
    return string.initializer.text.removesuffix("\\00")


def test_each_line_that_may_fail_has_a_mark():
    marked = module("-g")
    mark_positions(marked)
    assert [line for _, _, line in marks(marked, "_Z1kPii")] == [6, 7, 8]
    assert marks(marked, "_Z5twicePKi") == [("<source>", "twice", 2)]
    verify(write_module(marked))


def test_a_mark_stands_before_what_may_fail():
    marked = module("-g")
    mark_positions(marked)
    code = list(marked.function("_Z5twicePKi").instructions())
    mark = next(i for i, c in enumerate(code) if c.op == "call" and c.callee == POSITION_MARK)
    assert code[mark + 1].op == "load"
    assert code[mark + 1].operands[0] is code[mark - 1], "the load through the pointer, not that of the pointer"


def test_code_that_is_not_for_debugging_stays():
    for options in ((), ("-g", "-g0"), ("-gline-tables-only",)):
        plain = module(*options)
        before = write_module(plain)
        mark_positions(plain)
        assert write_module(plain) == before
