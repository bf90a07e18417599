# SPDX-License-Identifier: Apache-2.0
"""The body of a function while it is written: values, blocks, calls of built-in functions."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from lanewise.errors import CompileError
from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.mangling import Mangled, mangled_name, mangled_type
from lanewise.frontend.spirv.module import (
    FP_FAST_MATH,
    NO_SIGNED_WRAP,
    NO_UNSIGNED_WRAP,
    SpirvModule,
    damaged,
)
from lanewise.frontend.spirv.words import SpirvInstruction

_FAST: Final = (
    (0x1, "nnan"), (0x2, "ninf"), (0x4, "nsz"), (0x8, "arcp"), (0x10, "fast"), (0x10000, "contract"),
    (0x20000, "reassoc"),
)  # fmt: skip

PURE: Final = "convergent nounwind willreturn memory(none)"
"""Attributes of functions of numbers alone."""
ANY_EFFECT: Final = "convergent nounwind"


class Declarations:
    """Functions that a program calls and doesn't have: LLVM IR by their symbols."""

    def __init__(self) -> None:
        self.lines: dict[str, str] = {}

    def add(self, symbol: str, result: str, parameters: Sequence[str], attributes: str) -> None:
        line = f"declare {result} @{symbol}({', '.join(parameters)}) {attributes}"
        signature = line.removesuffix(attributes)
        if not self.lines.setdefault(symbol, line).startswith(signature):
            raise CompileError(f"error: the SPIR-V module calls {symbol} in two forms")


class Phi(NamedTuple):
    """A phi function that isn't written yet: the line that it gets, its block, the instruction."""

    line: int
    block: int
    instruction: SpirvInstruction


class FunctionWriter:
    """A function's body. Lines of LLVM IR gather in `lines`; `entry` has those that come first of all."""

    def __init__(self, module: SpirvModule, declarations: Declarations, functions: dict[int, str]) -> None:
        self.module = module
        self.declarations = declarations
        self.functions = functions
        """Symbols of the module's functions."""
        self.lines: list[str] = []
        self.entry: list[str] = []
        self.sampled: dict[int, tuple[int, int]] = {}
        """The image and the sampler of each pair of them, as numbers."""
        self.block = 0
        self.edges: Counter[tuple[int, int]] = Counter()
        """The number of edges from each block to each other one."""
        self.phis: list[Phi] = []
        self._types: dict[int, int] = {}
        self._aliases: dict[int, str] = {}
        self._temporaries = 0

    # Values

    def define(self, number: int, type_number: int) -> str:
        """The name of a value that is defined here."""
        self._types[number] = type_number
        return f"%v{number}"

    def give(self, number: int, type_number: int, text: str) -> None:
        """Say that a value of the module is `text`, which has been written, or needs no instruction."""
        self._types[number] = type_number
        self._aliases[number] = text

    def type_number(self, number: int) -> int:
        """The number of a value's type. CompileError for what is no value."""
        if number in self._types:
            return self._types[number]
        if number in self.module.values:
            return self.module.values[number].type
        if number in self.module.built_ins:
            return self.module.built_ins[number].type
        raise damaged(f"%{number} is used before it is defined")

    def type_of(self, number: int) -> ty.SpirvType:
        return self.module.type(self.type_number(number))

    def value(self, number: int) -> str:
        """The text of a value. One that is defined later has its name already."""
        if number in self._aliases:
            return self._aliases[number]
        if (constant := self.module.values.get(number)) is not None:
            return self._sampler(constant.number) if constant.text == "" else constant.text
        return f"%v{number}"

    def typed(self, number: int) -> str:
        return f"{self.type_of(number).text} {self.value(number)}"

    def constant(self, number: int) -> int | None:
        """The value of an integer constant; None for anything else."""
        constant = self.module.values.get(number)
        return None if constant is None else constant.number

    def _sampler(self, bits: int | None) -> str:
        self.declarations.add("__translate_sampler_initializer", "ptr addrspace(4)", ["i32"], PURE)
        return self.emit(f"call ptr addrspace(4) @__translate_sampler_initializer(i32 {bits})")

    # Instructions

    def temporary(self) -> str:
        self._temporaries += 1
        return f"%t{self._temporaries}"

    def emit(self, operation: str) -> str:
        """Write an instruction whose result has a name of ours; returns the name."""
        name = self.temporary()
        self.lines.append(f"  {name} = {operation}")
        return name

    def result(self, number: int, type_number: int, operation: str) -> None:
        """Write the instruction that defines a value of the module."""
        self.lines.append(f"  {self.define(number, type_number)} = {operation}")

    def line(self, operation: str) -> None:
        self.lines.append(f"  {operation}")

    def call(
        self,
        name: str,
        result: ty.SpirvType,
        arguments: Sequence[tuple[str, str, Mangled]],
        attributes: str = ANY_EFFECT,
    ) -> str:
        """Call a built-in function by its name in OpenCL C. Each argument: its type in LLVM IR, its value, its type in
        the function's name. Returns the result's name, "" for none."""
        symbol = mangled_name(name, tuple(code for _, _, code in arguments))
        return self.call_symbol(symbol, result.text, [(kind, value) for kind, value, _ in arguments], attributes)

    def call_symbol(
        self, symbol: str, result: str, arguments: Sequence[tuple[str, str]], attributes: str = ANY_EFFECT
    ) -> str:
        """Call a function by its symbol."""
        self.declarations.add(symbol, result, [kind for kind, _ in arguments], attributes)
        given = ", ".join(f"{kind} {value}" for kind, value in arguments)
        if result == "void":
            self.line(f"call void @{symbol}({given})")
            return ""
        return self.emit(f"call {result} @{symbol}({given})")

    def argument(self, number: int, *, signed: bool = True) -> tuple[str, str, Mangled]:
        """A value as an argument of `call`."""
        kind = self.type_of(number)
        return kind.text, self.value(number), mangled_type(kind, signed=signed)

    # What decorations say

    def flags(self, number: int) -> str:
        """Flags of fast arithmetic of an instruction, with a space behind."""
        mode = next(iter(self.module.decorations_of(number, FP_FAST_MATH)), 0)
        words = [word for bit, word in _FAST if mode & bit]
        return " ".join((*words, "")) if "fast" not in words else "fast "

    def wraps(self, number: int) -> str:
        """Flags of integer arithmetic that never overflows, with a space behind."""
        kinds = [kind for kind, _ in self.module.decorations.get(number, ())]
        return "nsw " * (NO_SIGNED_WRAP in kinds) + "nuw " * (NO_UNSIGNED_WRAP in kinds)


def by_lane(kind: ty.SpirvType, value: str) -> str:
    """The text of a vector with the same value in each lane; the value itself for a number."""
    if isinstance(kind, ty.VectorType):
        return "<" + ", ".join([f"{kind.element.text} {value}"] * kind.count) + ">"
    return value
