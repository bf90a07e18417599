# SPDX-License-Identifier: Apache-2.0
"""Modifiers that PTX for the first GPUs leaves unsaid, written out.

For targets sm_10 to sm_13, arithmetic in single precision counts denormals as zeros, and a product and sum without a
rounding is `fma.rn`, which is what later GPUs make of it. Before ISA 1.4, division and the functions of single
precision are approximate; those of double precision round to nearest.

Source: PTX ISA 9.0, 9.7.3 "Floating Point Instructions", the notes on sm_1x and on earlier versions; 11.1.2 `.target`.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.ptx.language.module import Module
from lanewise.ptx.language.statements import Instruction

_FLUSHING: Final = frozenset({
    "abs", "add", "cos", "cvt", "div", "ex2", "fma", "lg2", "mad", "max", "min", "mul", "neg", "rcp", "rsqrt", "set",
    "setp", "sin", "sqrt", "sub",
})  # fmt: skip
_APPROXIMATE: Final = frozenset({"cos", "div", "ex2", "lg2", "rcp", "rsqrt", "sin", "sqrt"})
_FIRST_TARGET: Final = re.compile(r"sm_1[0-3]").fullmatch
_SINGLE_ONLY: Final = "map_f64_to_f32"
_SAYS_HOW: Final = frozenset({"approx", "full", "rn", "rz", "rm", "rp"})


def write_out(module: Module) -> None:
    """Give the instructions of a module for sm_1x the modifiers that they imply. Others stay as they are. CompileError
    for double precision that is to be computed in single precision."""
    if not any(_FIRST_TARGET(target) for target in module.targets):
        return
    for function in module.functions:
        for instruction in function.instructions():
            if "f64" in instruction.modifiers and _SINGLE_ONLY in module.targets:
                told = f"{instruction.opcode}: double precision under .target {_SINGLE_ONLY} is not supported"
                raise module.source.error(instruction.start, told)
            _write_out(instruction, module.version)


def _write_out(instruction: Instruction, version: tuple[int, int]) -> None:
    words = instruction.modifiers
    if version < (1, 4) and instruction.name in _APPROXIMATE and not _SAYS_HOW & set(words):
        words = ("approx" if "f32" in words else "rn", *words)
    if "f32" in words and instruction.name in _FLUSHING and "ftz" not in words:
        words = ("ftz", *words)
    instruction.modifiers = words
