# SPDX-License-Identifier: Apache-2.0
"""The reference device's pipeline: next to nothing, since it interprets kernel IR as the front end made it."""

from typing import Final, NamedTuple

from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.passes import contract_multiply_add, expand_matrix_rows
from lanewise.passes.contract_multiply_add import ContractOptions
from lanewise.pipelines.drive import Drive
from lanewise.pipelines.step import Pass, Table, on_functions_with


class Interpreter(NamedTuple):
    """`fused`: multiplies and adds in one rounding, as the devices do whose results it judges."""

    fused: bool


def _contract(function: Function, module: Module, interpreter: Interpreter) -> bool:
    return contract_multiply_add.run(function, module, ContractOptions(interpreter.fused))


def _expand_rows(function: Function, module: Module, interpreter: Interpreter) -> bool:
    del interpreter
    return expand_matrix_rows.run(function, module)


REFERENCE: Final[Table[Interpreter]] = (
    Pass(
        "contract-multiply-add",
        on_functions_with(_contract),
        "one decision on rounding for every device",
        required=True,
    ),
    Pass(
        "expand-matrix-rows",
        on_functions_with(_expand_rows),
        "each access of a work-item is checked",
        required=True,
        only_for="@__lw_matrix_",
    ),
)


def prepared(module: Module, *, fused: bool) -> Module:
    """The module as the reference device interprets it."""
    return Drive(module, Interpreter(fused), "a program").run(REFERENCE).module
