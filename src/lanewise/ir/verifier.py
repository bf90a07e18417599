# SPDX-License-Identifier: Apache-2.0
"""Checks the invariants of the kernel IR. They hold between any two passes:

 1. A block ends in a terminator and holds no other one.
 2. Phis come first in their block, before debug records too. A phi has one entry for each edge into the block,
    and entries for the same predecessor have the same value.
 3. A definition dominates its uses; a phi uses its values at the ends of the predecessors. Blocks that the entry
    does not reach are excepted.
 4. Operands and result have the types that the operation asks for (`type_rules.py`).
 5. A call passes the arguments that its function type asks for, and has the result that it says.
 6. `ret` returns the result type of its function.
 7. Use lists and operands agree, in both directions. (Constants keep no use list.)
 8. Blocks know their function and instructions their block, and each is in one place.
 9. Nothing branches to the entry block, so it has no phis.
10. A kernel returns void and takes a fixed number of parameters.
11. Operands belong to this function, and symbols to this module.
12. The metadata nodes, attribute groups and named types that are referred to exist in the module.

The numbers stand on the checks below and on a rejecting test each. LLVM's own verifier checks more (attributes,
intrinsic signatures); it runs on the written text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NoReturn

from lanewise.errors import CompileError
from lanewise.ir import types as ty
from lanewise.ir.dominators import DominatorTree, dominators
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction, Metadata
from lanewise.ir.module import Alias, GlobalVariable, Module, constants_in
from lanewise.ir.ops import OPS
from lanewise.ir.type_rules import TypeFault, check_types, wrong_operand
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, Global, Value
from lanewise.ir.writer import function_header, local_names, write_instruction, write_value

_NODE: Final = re.compile(r"!\d+").findall
_GROUP: Final = re.compile(r"#\d+").findall


class VerifierError(CompileError):
    """IR that breaks an invariant, whose number is `rule`.

    The text shows the function, the faulty instruction, and below it what is wrong.
    """

    def __init__(self, rule: int, message: str) -> None:
        super().__init__(message)
        self.rule = rule


def verify(unit: Module | Function, module: Module | None = None) -> None:
    """Raises VerifierError at the first broken invariant of a module, or of one function alone.

    With a function's `module`, members of named types and references to the module's tables are checked as well.
    """
    if isinstance(unit, Module):
        _verify_module(unit)
    else:
        _FunctionVerifier(unit, module).verify()


def _verify_module(module: Module) -> None:
    placed: set[Instruction] = set()
    for function in module.functions:
        _FunctionVerifier(function, module).verify()
        placed.update(function.instructions())
    for name, symbol in module.symbols.items():
        if symbol.name != name:
            _refuse(11, f"symbol @{symbol.name} stands in the module as @{name}")
        for user in symbol.users:
            if user not in placed:
                _refuse(7, f"@{name} is used by {user!r}, which stands in no function of the module")
        inside = _constant_of(symbol)
        for value in constants_in(inside) if inside is not None else ():
            if isinstance(value, Global) and module.symbols.get(value.name or "") is not value:
                _refuse(11, f"@{name} refers to @{value.name}, which is not in the module")
        if isinstance(symbol, GlobalVariable):
            _check_tables(module, symbol.metadata, (), (symbol.value_type,), f"@{name}")


def _constant_of(symbol: Global) -> Value | None:
    if isinstance(symbol, GlobalVariable):
        return symbol.initializer
    return symbol.aliasee if isinstance(symbol, Alias) else None


class _FunctionVerifier:
    """Checks one function, in the order in which later checks rely on earlier ones."""

    def __init__(self, function: Function, module: Module | None) -> None:
        self.function = function
        self.module = module
        self.names = module.types if module is not None else {}
        self.place: dict[Instruction, tuple[Block, int]] = {}
        self.blocks: set[Block] = set()

    def verify(self) -> None:
        self._check_signature()
        if self.function.is_declaration:
            return
        self._check_places()
        for instruction in self.place:
            self._check_operands(instruction)
        for value in self._definitions():
            self._check_users(value)
        for instruction in self.place:
            self._check_types(instruction)
        for block in self.function.blocks:
            self._check_phis(block)
        self._check_dominance(dominators(self.function))
        if self.module is not None:
            for instruction in self.place:
                self._check_tables(self.module, instruction)

    def wrong(self, rule: int, message: str, at: Instruction | None = None) -> VerifierError:
        shown = [f"@{self.function.name} breaks rule {rule} of the IR:", function_header(self.function)]
        if at is not None:
            block = at.block
            names = local_names(self.function)
            if block is not None and block in names:
                shown.append(f"{names[block][1:]}:")
            shown.append("  " + write_instruction(at))
        return VerifierError(rule, "\n".join([*shown, f"  ; error: {message}"]))

    # -- structure -----------------------------------------------------------------------------------------

    def _check_signature(self) -> None:
        function = self.function
        shape = function.value_type
        if shape.kind != "function" or shape.fields != tuple(a.type for a in function.arguments):
            raise self.wrong(4, f"the parameters do not have the types of {shape}")
        if function.is_kernel and shape.inner is not ty.VOID:  # 10
            raise self.wrong(10, f"the kernel returns {shape.inner}, expected void")
        if function.is_kernel and shape.vararg:  # 10
            raise self.wrong(10, "the kernel takes a variable number of arguments")
        if self.module is not None:
            if self.module.symbols.get(function.symbol) is not function:  # 11
                raise self.wrong(11, "the function is not the module's symbol of its name")
            _check_tables(self.module, function.metadata, (function.suffix,), shape.fields, f"@{function.name}")

    def _check_places(self) -> None:
        for argument in self.function.arguments:
            if argument.__class__ is not Argument:
                raise self.wrong(8, f"{argument!r} among the parameters is no argument")
        for block in self.function.blocks:
            if block.function is not self.function:  # 8
                raise self.wrong(8, f"{block!r} says that it belongs to {block.function!r}")
            if block in self.blocks:  # 8
                raise self.wrong(8, f"{block!r} stands in the function twice")
            self.blocks.add(block)
            instructions = block.instructions
            for index, instruction in enumerate(instructions):
                if instruction in self.place:  # 8
                    raise self.wrong(8, "the instruction stands in two places", instruction)
                if instruction.block is not block:  # 8
                    raise self.wrong(8, f"it says that it belongs to {instruction.block!r}", instruction)
                if instruction.op not in OPS and not instruction.is_debug_record:
                    raise self.wrong(4, f"{instruction.op!r} is no operation of the kernel IR")
                if instruction.is_terminator and index + 1 < len(instructions):  # 1
                    raise self.wrong(1, "a terminator stands inside its block", instruction)
                self.place[instruction] = block, index
            if not instructions or not instructions[-1].is_terminator:  # 1
                at = instructions[-1] if instructions else None
                raise self.wrong(1, f"{block!r} does not end in a terminator", at)

    # -- operands and use lists ----------------------------------------------------------------------------

    def _check_operands(self, instruction: Instruction) -> None:
        operands = instruction.operands
        for operand in operands:
            kind = operand.__class__
            if kind is Constant:
                for value in constants_in(operand) if operand.operands else ():  # type: ignore[attr-defined]
                    if value.__class__ is not Constant:
                        self._check_owner(value, instruction)
                continue
            users = operand.users
            if users.get(instruction, 0) != (1 if len(operands) == 1 else _times(operand, operands)):  # 7
                raise self.wrong(7, f"the use list of {self._shown(operand)} does not agree", instruction)
            self._check_owner(operand, instruction)

    def _check_owner(self, value: Value, instruction: Instruction) -> None:
        kind = value.__class__
        if kind is Instruction:
            mine = value in self.place
        elif kind is Argument:
            mine = any(value is argument for argument in self.function.arguments)
        elif kind is Block:
            mine = value in self.blocks
        elif isinstance(value, Global):
            mine = self.module is None or self.module.symbols.get(value.name or "") is value
        else:
            mine = False
        if not mine:  # 11
            raise self.wrong(11, f"{self._shown(value)} belongs to another function or module", instruction)

    def _definitions(self) -> Iterator[Value]:
        yield from self.function.arguments
        yield from self.function.blocks
        yield from self.place

    def _check_users(self, value: Value) -> None:
        for user in value.users:
            if user not in self.place or not _times(value, user.operands):  # 7
                raise self.wrong(7, f"{self._shown(value)} is said to be used by {user!r}, which does not use it")

    def _shown(self, value: Value) -> str:
        return write_value(value, local_names(self.function))

    # -- types ---------------------------------------------------------------------------------------------

    def _check_types(self, instruction: Instruction) -> None:
        op = instruction.op
        try:
            if op == "call":
                self._check_call(instruction)  # 5
            elif op == "ret":
                self._check_return(instruction)  # 6
            elif op in OPS:
                check_types(instruction, self.names)  # 4
        except TypeFault as fault:
            rule = {"call": 5, "ret": 6}.get(op, 4)
            raise self.wrong(rule, str(fault), instruction) from None

    def _check_call(self, instruction: Instruction) -> None:
        site = instruction.call
        if site is None or not instruction.operands or site.function_type.kind != "function":
            raise TypeFault("a call needs a callee and a function type")
        if not instruction.operands[0].type.is_pointer:
            raise wrong_operand(instruction, 0, "a pointer to a function")
        expected = site.function_type.fields
        given = instruction.operands[1:]
        if len(given) < len(expected) or (len(given) > len(expected) and not site.function_type.vararg):
            raise TypeFault(f"{len(given)} arguments are given, expected {len(expected)}")
        for index, (parameter, argument) in enumerate(zip(expected, given, strict=False)):
            wrapped = index < len(site.arguments) and site.arguments[index] == ("metadata",)
            if argument.type is not parameter and not (wrapped and parameter is ty.METADATA):
                raise wrong_operand(instruction, index + 1, str(parameter), first=1)
        if instruction.type is not site.function_type.inner:
            raise TypeFault(f"the result has type {instruction.type}, expected {site.function_type.inner}")

    def _check_return(self, instruction: Instruction) -> None:
        expected = self.function.result_type
        given = [operand.type for operand in instruction.operands]
        if given != ([] if expected is ty.VOID else [expected]):
            shown = ", ".join(map(str, given)) or "nothing"
            raise TypeFault(f"{shown} is returned, expected {expected}")

    # -- control flow --------------------------------------------------------------------------------------

    def _check_phis(self, block: Block) -> None:
        edges = Counter(
            user.block
            for user, times in block.users.items()
            if user.is_terminator and user.block is not None
            for _ in range(times)
        )
        if block is self.function.entry and edges:  # 9
            raise self.wrong(9, f"{next(iter(edges))!r} branches to the entry")
        behind = False
        for instruction in block.instructions:
            if instruction.op != "phi":
                behind = True
                continue
            if behind:  # 2
                raise self.wrong(2, "a phi stands behind another instruction", instruction)
            if Counter(before for _, before in instruction.incoming()) != edges:  # 2
                expected = ", ".join(self._shown(b) for b in edges.elements())
                raise self.wrong(2, f"the entries are not those of the predecessors: {expected}", instruction)
            seen: dict[Block, Value] = {}
            for value, before in instruction.incoming():
                if not _same_value(seen.setdefault(before, value), value):  # 2
                    raise self.wrong(2, f"{self._shown(before)} brings two values", instruction)

    def _check_dominance(self, tree: DominatorTree) -> None:
        for instruction, (block, index) in self.place.items():
            if not tree.reaches(block) or instruction.is_debug_record:
                continue
            operands = instruction.operands
            is_phi = instruction.op == "phi"
            for i, operand in enumerate(operands):
                if operand.__class__ is not Instruction or _is_metadata(instruction, i):
                    continue
                home, at = self.place[operand]  # type: ignore[index]  # just tested
                if is_phi:
                    source = operands[i + 1]
                    fine = isinstance(source, Block) and tree.dominates(home, source)
                elif home is block:
                    fine = at < index
                else:
                    fine = tree.dominates(home, block)
                if not fine:  # 3
                    raise self.wrong(3, f"{self._shown(operand)} does not dominate this use", instruction)

    # -- tables of the module ------------------------------------------------------------------------------

    def _check_tables(self, module: Module, instruction: Instruction) -> None:
        texts: tuple[str, ...] = (instruction.call.suffix,) if instruction.call is not None else ()
        types = (instruction.type, instruction.source_type or instruction.type)
        if instruction.metadata or texts or "named" in (types[0].kind, types[1].kind):
            try:
                _check_tables(module, instruction.metadata, texts, types, "")
            except VerifierError as error:
                raise self.wrong(12, str(error), instruction) from None


def _check_tables(
    module: Module, metadata: Metadata, texts: tuple[str, ...], types: Iterable[Type], where: str
) -> None:
    """12: metadata nodes, attribute groups and named types that are referred to are in the module's tables."""
    for _, node in metadata:
        for name in _NODE(node) if node not in module.metadata else ():
            if name not in module.metadata:
                _refuse(12, f"{where} refers to {name}, which the module doesn't have".strip())
    for text in texts:
        for name in _GROUP(text) if "#" in text and text not in module.attributes else ():
            if name not in module.attributes:
                _refuse(12, f"{where} refers to {name}, which the module doesn't have".strip())
    for type_ in types:
        if type_.kind == "named" and type_.name not in module.types:
            _refuse(12, f"{where} refers to {type_}, which the module doesn't have".strip())


def _refuse(rule: int, message: str) -> NoReturn:
    raise VerifierError(rule, message)


def _is_metadata(instruction: Instruction, index: int) -> bool:
    """Metadata may name a value that does not reach it: it says nothing then."""
    site = instruction.call
    return site is not None and 0 < index <= len(site.arguments) and site.arguments[index - 1] == ("metadata",)


def _times(value: Value, operands: list[Value]) -> int:
    return sum([operand is value for operand in operands])


def _same_value(a: Value, b: Value) -> bool:
    return a is b or (a.__class__ is Constant and b.__class__ is Constant and write_value(a, {}) == write_value(b, {}))
