# SPDX-License-Identifier: Apache-2.0
"""Before and After of docstrings in src/lanewise/workgroup, executed.

An After of `EXCERPTS` has lines of the work-group function that a kernel becomes; `...` stands for lines that are left
out. Numbers of values may be others than in the function.
"""

from typing import NamedTuple

import pytest

import lanewise as lw
from lanewise.ir.builder import Builder
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.pipelines.out_of_line_functions import compile_out_of_line
from lanewise.workgroup.items.narrow_indices import hide_narrow_indices
from lanewise.workgroup.lowering.division import DIVISIONS, safe_division
from lanewise.workgroup.regions.barriers import isolate_barriers
from lanewise.workgroup.regions.warp_waits import part_barriers

from ..excerpts import has_excerpt, lines
from ..passes.test_other_examples import changed, pairs, same


def isolate_all(module: Module) -> None:
    for function in module.functions:
        isolate_barriers(function)


def part_all(module: Module) -> None:
    for function in module.functions:
        part_barriers(module, function)


def hide_all(module: Module) -> None:
    for function in module.functions:
        hide_narrow_indices(module, function)


def divide_safely(module: Module) -> None:
    """Append the instructions of each block again, divisions with safe operands."""
    for function in module.functions:
        for block in function.blocks:
            instructions = block.instructions[:]
            block.instructions.clear()
            build = Builder(block)
            for instruction in instructions:
                if instruction.op in DIVISIONS:
                    for index, operand in enumerate(safe_division(build, instruction.op, *instruction.operands)):
                        instruction.set_operand(index, operand)
                build.emit(instruction)


def test_barriers():
    ((before, after),) = pairs("workgroup.regions.barriers")
    same(changed(before, isolate_all), after)


def test_warp_waits():
    ((before, after),) = pairs("workgroup.regions.warp_waits")
    same(changed(before, part_all), after)


def test_narrow_indices():
    ((before, after),) = pairs("workgroup.items.narrow_indices")
    same(changed(before, hide_all), after)


def test_division():
    ((before, after),) = pairs("workgroup.lowering.division")
    same(changed(before, divide_safely), after)


class Excerpt(NamedTuple):
    """The local size and the mapping that an example is about."""

    block: int | tuple[int, ...]
    mapping: str


EXCERPTS = {
    "workgroup.items.iteration_order": Excerpt(64, "loop"),
    "workgroup.items.leading_items": Excerpt(32, "loop"),
    "workgroup.items.work_item_loops": Excerpt(32, "loop"),
    "workgroup.lanes.analysis.counted_loops": Excerpt(16, "lanes:4x1"),
    "workgroup.lanes.memory.transposed": Excerpt((4, 4), "lanes:4x4"),
    "workgroup.layout.interleaved_arrays": Excerpt(64, "lanes:8x1"),
    "workgroup.layout.out_of_line": Excerpt(4, "loop"),
    "workgroup.lowering.dynamic_alloca": Excerpt(1, "loop"),
    "workgroup.lowering.runtime_calls": Excerpt(1, "loop"),
    "workgroup.lowering.textures": Excerpt(1, "loop"),
    "workgroup.waiting.progress": Excerpt(1, "loop"),
}


@pytest.mark.parametrize("module", EXCERPTS)
def test_excerpts(module: str):
    ((before, after),) = pairs(module)
    example = EXCERPTS[module]
    text = f'target triple = "nvptx64-nvidia-cuda"\n{before}'
    made = lw.compile(text, language="ir", mapping=example.mapping).ir("work-group", "k", block=example.block)
    assert has_excerpt(lines(after), lines(made), {}, True), f"{after}\nis no part of\n{made}"


def test_an_out_of_line_object():
    ((before, after),) = pairs("workgroup.out_of_line_object")
    kernel = "define ptx_kernel void @k(ptr %p) {\n  %r = call i32 @depth(i32 9)\n  store i32 %r, ptr %p\n  ret void\n}"
    made = compile_out_of_line(lambda roots: read_module(f"{kernel}\n{before}"))
    assert has_excerpt(lines(after), lines(write_module(made.module)), {}, True)


def test_excerpts_can_fail():
    found = ["%1 = add i32 %a, %b", "%2 = add i32 %1, %1", "ret i32 %2"]
    assert has_excerpt(["%7 = add i32 %a, %b", "...", "ret i32 %9"], found, {}, True)
    assert not has_excerpt(["%7 = add i32 %a, %b", "ret i32 %9"], found, {}, True)
    assert not has_excerpt(["%7 = add i32 %a, %b", "...", "ret i32 %7"], found, {}, True)


EXECUTED = {
    "workgroup.items.narrow_indices",
    "workgroup.lowering.division",
    "workgroup.regions.barriers",
    "workgroup.regions.warp_waits",
    "workgroup.out_of_line_object",
    *EXCERPTS,
}
"""Modules whose examples the tests above execute."""
