# SPDX-License-Identifier: Apache-2.0
"""A SPIR-V module as far as it is read: names, decorations, types, constants, variables, and their names in LLVM IR.

Source: SPIR-V Specification 1.6, 2.4 "Logical Layout of a Module", 3.20 "Decoration"; OpenCL SPIR-V Environment.
"""

from collections import defaultdict
from typing import Final, NamedTuple

from lanewise.errors import CompileError
from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.literals import quoted
from lanewise.frontend.spirv.words import SpirvInstruction, string_of

EXTERNAL: Final = "external"
ALIGNMENT: Final = 44
BUILT_IN: Final = 11
FP_FAST_MATH: Final = 40
FUNC_PARAM_ATTR: Final = 38
LINKAGE: Final = 41
NO_SIGNED_WRAP: Final = 4469
NO_UNSIGNED_WRAP: Final = 4470
ROUNDING_MODE: Final = 39
SATURATED: Final = 28

_MOST_CHARACTERS: Final = 1 << 28
_LINKAGES: Final = ("dso_local", EXTERNAL, "linkonce_odr")
"""LLVM's words for what is exported, imported, and in several modules the same."""
_MOST_ALIGNMENT: Final = 1 << 28
_DEEPEST: Final = 255
"""The most structures in one another (2.17 "Universal Limits")."""


class SpirvValue(NamedTuple):
    """A constant or a variable: the number of its type, and what it is called in LLVM IR. `number`: of an integer."""

    type: int
    text: str
    number: int | None = None


class Linkage(NamedTuple):
    """A name among modules, and LLVM's word for what it is there."""

    name: str
    word: str


class BuiltIn(NamedTuple):
    """A variable that says which work-item runs: what it holds, and the numbers of its type and of its content's."""

    what: int
    type: int
    content: int


class SpirvModule:
    """A module while it is translated. `globals`: its variables, as lines of LLVM IR."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.decorations: dict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
        self.imports: dict[int, str] = {}
        self.types: dict[int, ty.SpirvType] = {}
        self.values: dict[int, SpirvValue] = {}
        self.built_ins: dict[int, BuiltIn] = {}
        self.entry_points: dict[int, list[str]] = defaultdict(list)
        self.modes: dict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
        self.globals: list[str] = []
        self.functions: list[list[SpirvInstruction]] = []
        self._taken: dict[str, int] = {}
        self._characters = 0

    def type(self, number: int) -> ty.SpirvType:
        """The type of a number. CompileError where there is none."""
        if number not in self.types:
            raise damaged(f"%{number} is no type")
        return self.types[number]

    def pointee(self, pointer: ty.SpirvType) -> ty.SpirvType:
        """The type that a pointer points to. CompileError for what is none."""
        if not isinstance(pointer, ty.PointerType):
            raise damaged(f"a pointer is asked for, where {pointer.text} is given")
        return self.type(pointer.pointee)

    def decoration(self, number: int, kind: int) -> tuple[int, ...] | None:
        """The operands of a decoration; None without one."""
        return next((operands for found, operands in self.decorations.get(number, ()) if found == kind), None)

    def decorations_of(self, number: int, kind: int) -> list[int]:
        """The first operand of each decoration of a kind."""
        return [operands[0] for found, operands in self.decorations.get(number, ()) if found == kind and operands]

    def struct_lines(self) -> list[str]:
        """The structures, as lines of LLVM IR. CompileError for one that contains itself."""
        lines: list[str] = []
        self._require_finite_structures()
        for each in self.types.values():
            if isinstance(each, ty.StructType):
                fields = ", ".join(self.type(field).text for field in each.fields)
                body = f"{{ {fields} }}" if fields else "{}"
                lines.append(f"{each.text} = type {f'<{body}>' if each.is_packed else body}")
        return lines

    def _require_finite_structures(self) -> None:
        finite: set[ty.SpirvType] = set()
        open_ones: list[ty.SpirvType] = []

        def visit(kind: ty.SpirvType) -> None:
            while isinstance(kind, ty.ArrayType):
                kind = kind.element
            if not isinstance(kind, ty.StructType) or kind in finite:
                return
            if kind in open_ones or len(open_ones) >= _DEEPEST:
                raise damaged(f"the structure {kind.text} contains itself, or more than {_DEEPEST} in one another")
            open_ones.append(kind)
            for field in kind.fields:
                visit(self.type(field))
            finite.add(open_ones.pop())

        for kind in self.types.values():
            visit(kind)

    def alignment(self, number: int) -> str:
        """The alignment that a decoration says, with a space before it; "" for none, and for what can't be one."""
        given = self.decorations_of(number, ALIGNMENT)[:1]
        is_one = given and 0 < given[0] <= _MOST_ALIGNMENT and given[0] & given[0] - 1 == 0
        return f" align {given[0]}" if is_one else ""

    def constant_number(self, number: int) -> int:
        """The value of an integer constant. CompileError for anything else."""
        value = self.values.get(number)
        if value is None or value.number is None:
            raise damaged(f"%{number} is no integer constant")
        return value.number

    def symbol(self, number: int, otherwise: str) -> str:
        """A name for LLVM IR that nothing else has: that in the module, or one by its number."""
        return self.unique(self.names.get(number) or f"{otherwise}{number}")

    def unique(self, name: str) -> str:
        """The name, with more behind it where it is taken."""
        found = name
        while found in self._taken:
            self._taken[name] += 1
            found = f"{name}.{self._taken[name]}"
        self._taken[found] = 0
        return quoted(found)

    def reserve(self, name: str) -> None:
        """Keep a name for what has no other."""
        self._taken.setdefault(name, 0)

    def charge(self, characters: int) -> None:
        """Count characters of text that is made. CompileError for a module whose text grows without end: constants of
        constants may."""
        self._characters += characters
        if self._characters > _MOST_CHARACTERS:
            raise CompileError(f"error: the SPIR-V module needs more than {_MOST_CHARACTERS} characters of LLVM IR")

    def linkage(self, number: int) -> Linkage | None:
        """The linkage of a function or a variable; None for what is the module's own."""
        operands = self.decoration(number, LINKAGE)
        if operands is None:
            return None
        name, words = string_of(operands)
        kind = operands[words] if words < len(operands) else 0
        if kind >= len(_LINKAGES):
            raise damaged(f"the linkage {kind}")
        return Linkage(name, _LINKAGES[kind])


def damaged(what: str) -> CompileError:
    """An error for a module that breaks the rules of SPIR-V."""
    return CompileError(f"error: the SPIR-V module is damaged: {what}")


def refused(what: str) -> CompileError:
    """An error for what no program of OpenCL has here."""
    return CompileError(f"error: SPIR-V with {what} is not taken")
