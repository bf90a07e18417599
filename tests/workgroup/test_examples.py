# SPDX-License-Identifier: Apache-2.0
"""Before and After of docstrings in src/lanewise/workgroup, executed."""

from lanewise.ir.builder import Builder
from lanewise.ir.module import Module
from lanewise.workgroup.items.narrow_indices import hide_narrow_indices
from lanewise.workgroup.lowering.division import DIVISIONS, safe_division
from lanewise.workgroup.regions.barriers import isolate_barriers

from ..passes.test_other_examples import changed, pairs, same


def isolate_all(module: Module) -> None:
    for function in module.functions:
        isolate_barriers(function)


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


def test_narrow_indices():
    ((before, after),) = pairs("workgroup.items.narrow_indices")
    same(changed(before, hide_all), after)


def test_division():
    ((before, after),) = pairs("workgroup.lowering.division")
    same(changed(before, divide_safely), after)


EXECUTED = {"workgroup.items.narrow_indices", "workgroup.lowering.division", "workgroup.regions.barriers"}
"""Modules whose examples the tests above execute."""
