# SPDX-License-Identifier: Apache-2.0
"""Floating-point contraction is decided in one place, first of all, for every device (pass contract-multiply-add)."""

from __future__ import annotations

from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.passes import contract_multiply_add
from lanewise.passes.contract_multiply_add import ContractOptions


def decide_contraction(module: Module, *, fused: bool) -> None:
    """In all functions of the front end's kernel IR. `fused`: the target has an instruction for it."""
    options = ContractOptions(fused)
    for function in module.functions:
        contract_multiply_add.run(function, module, options)


def contracted(text: str, *, fused: bool) -> str:
    """Kernel IR as text with contraction decided."""
    module = read_module(text)
    decide_contraction(module, fused=fused)
    return write_module(module)
