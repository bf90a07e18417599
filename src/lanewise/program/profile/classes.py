# SPDX-License-Identifier: Apache-2.0
"""The kinds of instructions that a profile tells apart."""

from __future__ import annotations

from typing import Final

from lanewise.ptx.language.statements import Instruction

_BY_NAME: Final = {
    **dict.fromkeys(("ld", "ldu", "prefetch", "prefetchu"), "load"),
    **dict.fromkeys(("st", "discard"), "store"),
    **dict.fromkeys(("atom", "red"), "atomic"),
    **dict.fromkeys(("tex", "tld4", "txq", "suq", "suld", "sust", "sured"), "texture"),
    **dict.fromkeys(("bra", "brx", "call", "ret", "exit", "trap", "brkpt", "nanosleep", "pmevent"), "control"),
    **dict.fromkeys(("bar", "barrier", "mbarrier", "membar", "fence", "griddepcontrol"), "barrier"),
    **dict.fromkeys(("shfl", "vote", "match", "activemask", "redux", "elect"), "warp"),
    **dict.fromkeys(("mma", "wmma", "ldmatrix", "stmatrix", "movmatrix", "wgmma", "tcgen05"), "matrix"),
    **dict.fromkeys(("cvt", "szext"), "conversion"),
    **dict.fromkeys(("mov", "cvta", "isspacep", "mapa", "getctarank", "alloca", "stacksave", "stackrestore"), "move"),
    **dict.fromkeys(("sin", "cos", "ex2", "lg2", "rsqrt", "tanh"), "special"),
    **dict.fromkeys(("setp", "set", "selp", "slct", "and", "or", "xor", "not", "cnot", "lop3"), "logic"),
    "cp": "load",
}
_BY_TYPE: Final = {"f32": "fp32", "f32x2": "fp32", "f64": "fp64", "f16": "half", "f16x2": "half", "bf16": "half",
                   "bf16x2": "half"}  # fmt: skip
_APPROXIMATE: Final = frozenset({"rcp", "sqrt", "div"})

CLASSES: Final = tuple(dict.fromkeys((*_BY_TYPE.values(), "integer", *_BY_NAME.values())))


def class_of(instruction: Instruction) -> str:
    """The kind of an instruction, as its opcode and its type say; "integer" for what is none of the others."""
    found = _BY_NAME.get(instruction.name)
    if found is not None:
        return found
    kind = next((_BY_TYPE[word] for word in reversed(instruction.modifiers) if word in _BY_TYPE), "integer")
    return "special" if instruction.name in _APPROXIMATE and kind == "fp32" else kind
