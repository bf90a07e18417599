# SPDX-License-Identifier: Apache-2.0
"""A kernel made ready to run: basic blocks of steps, registers by number, variables with their sizes; and its run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from lanewise.ptx.language.module import Function, Module
from lanewise.ptx.language.operands import Group, Immediate, Name, Operand
from lanewise.ptx.language.statements import Block, Declaration, Directive, Instruction, Label, Statement

from .atomics import ATOMICS
from .comparisons import COMPARISONS
from .control import ENDINGS, ended, ending, going_on
from .floats import FLOATS
from .formats import FORMATS
from .integers import INTEGERS
from .machine import Machine, Step
from .memory import Placed
from .moves import MOVES
from .operands import Operands, Register, Scope, Unsupported, Variable, size_of
from .warps import WARPS

Size = int | Sequence[int]
_MOST_CALLS: Final = 50
"""A function that calls itself is not known."""
_BEHIND: Final = "behind the call"
_FAMILIES: Final = INTEGERS | COMPARISONS | MOVES | ATOMICS | WARPS


def _three(size: Size) -> tuple[int, int, int]:
    lengths = (size,) if isinstance(size, int) else tuple(size)
    x, y, z = (*lengths, 1, 1, 1)[:3]
    return x, y, z


def _parts_of_call(call: Instruction) -> tuple[tuple[Operand, ...], str, tuple[Operand, ...]]:
    """`call (results), name, (arguments)`, both of which may be missing."""
    groups = [operand.items if isinstance(operand, Group) else None for operand in call.operands]
    place = groups.index(None)
    return sum(filter(None, groups[:place]), ()), str(call.operands[place]), sum(filter(None, groups[place + 1 :]), ())


def _with_jumps(statements: Sequence[Statement]) -> list[Statement]:
    """A function's statements, going on behind the call where it returns."""
    made: list[Statement] = []
    for each in statements:
        if isinstance(each, Block):
            made.append(Block(_with_jumps(each.statements)))
        elif isinstance(each, Instruction) and each.name == "ret":
            made.append(Instruction("bra", (Name(_BEHIND),), each.guard, each.start, each.end))
        else:
            made.append(each)
    return made


@dataclass(slots=True)
class _Placed:
    """An instruction in its scope, in the basic block `block`."""

    instruction: Instruction
    scope: Scope
    block: int


class Program:
    """`kernel` of a module, by name. Raises Unsupported where it has what this interpreter lacks."""

    def __init__(self, module: Module, kernel: str) -> None:
        functions = [each for each in module.kernels if each.name == kernel]
        if not functions:
            raise Unsupported(f"no kernel {kernel}")
        self.module = module
        self.function: Function = functions[0]
        self.formats: list[np.dtype[np.generic]] = []
        self.variables: list[Variable] = []
        outermost = self._outermost = Scope()
        self._calls = 0
        for item in module.items:
            if isinstance(item, Declaration):
                self._declare(item, outermost)
        scope = Scope(outermost)
        self.parameters = [self._parameter(each, scope) for each in self.function.parameters]
        self._ordered: list[_Placed] = []
        self._count = 0
        self._begun = False  # the block `_count` has an instruction
        assert self.function.body
        self._flatten(self.function.body.statements, Scope(scope))
        self.blocks = self._decoded()

    # -- names --------------------------------------------------------------------------------------------------

    def _parameter(self, declaration: Declaration, scope: Scope) -> Variable:
        (declarator,) = declaration.declarators
        made = Variable(f"param:{declarator.name}", "param", declaration, declarator)
        scope.names[declarator.name] = made
        return made

    def _declare(self, declaration: Declaration, scope: Scope) -> None:
        for declarator in declaration.declarators:
            if declaration.space == "reg":
                if declaration.vector:
                    raise Unsupported(f"line {self.module.line(declaration)}: vector registers")
                self._registers(declaration.type, declarator.name, declarator.count, scope)
            else:
                key = f"{len(self.variables)}:{declarator.name}"
                space = "local" if declaration.space == "param" else declaration.space
                made = Variable(key, space, declaration, declarator)
                scope.names[declarator.name] = made
                self.variables.append(made)

    def _registers(self, kind: str, name: str, count: int | None, scope: Scope) -> None:
        names = [name] if count is None else [f"{name}{i}" for i in range(count)]
        for each in names:
            scope.names[each] = Register(len(self.formats), FORMATS[kind])
            self.formats.append(FORMATS[kind].raw)

    # -- basic blocks -------------------------------------------------------------------------------------------

    def _next_block(self) -> None:
        if self._begun:
            self._count += 1
            self._begun = False

    def _flatten(self, statements: list[Statement], scope: Scope) -> None:
        label = ""
        for statement in statements:
            match statement:
                case Declaration():
                    self._declare(statement, scope)
                case Block():
                    self._flatten(statement.statements, Scope(scope))
                case Label():
                    self._next_block()
                    label = statement.name
                    scope.labels[label] = self._count
                case Directive():
                    if statement.words[0] == ".branchtargets":
                        scope.targets[label] = tuple(word for word in statement.words[1:] if word != ",")
                case Instruction() if statement.name == "call":
                    self._inline(statement, scope)
                case Instruction():
                    self._ordered.append(_Placed(statement, scope, self._count))
                    self._begun = True
                    if statement.name in ENDINGS:
                        self._next_block()

    def _inline(self, call: Instruction, scope: Scope) -> None:
        """The body of a function where it is called, with the caller's variables as its parameters."""
        results, name, arguments = _parts_of_call(call)
        line = f"line {self.module.line(call)}: {call.opcode} {name}"
        functions = [each for each in self.module.functions if each.name == name and not each.is_kernel]
        self._calls += 1
        if not functions or call.guard or self._calls > _MOST_CALLS:
            raise Unsupported(f"{line}: a function that is not known, under a guard, or too many")
        (function,) = functions
        inner, body = Scope(self._outermost), function.body
        declarations = [*zip(function.results, results, strict=True), *zip(function.parameters, arguments, strict=True)]
        for declaration, operand in declarations:
            found = scope.find(str(operand))
            if not isinstance(found, Variable):
                raise Unsupported(f"{line}: {operand} is no variable")
            inner.names[declaration.declarators[0].name] = found
        assert body
        self._next_block()
        self._flatten(_with_jumps(body.statements), Scope(inner))
        self._next_block()
        inner.labels[_BEHIND] = self._count

    def _decoded(self) -> list[tuple[Step, ...]]:
        blocks: list[list[Step]] = [[] for _ in range(self._count + 2)]
        closed = [False] * len(blocks)
        for placed in self._ordered:
            line = self.module.line(placed.instruction)
            operands = Operands(placed.instruction, placed.scope, line, placed.block + 1)
            try:
                step = ended(operands) if placed.instruction.name in ENDINGS else self._step(operands)
            except (ValueError, IndexError, KeyError) as error:
                raise operands.unsupported(str(error)) from error
            blocks[placed.block].append(step)
            closed[placed.block] = placed.instruction.name in ENDINGS
        last = len(blocks) - 1
        for number, steps in enumerate(blocks):
            if not closed[number]:
                steps.append(going_on(number + 1) if number < last else ending)
        return [tuple(steps) for steps in blocks]

    def _step(self, operands: Operands) -> Step:
        instruction = operands.instruction
        floating = bool(operands.formats) and operands.formats[0].kind == "f"
        family = FLOATS if floating and instruction.name in FLOATS else _FAMILIES
        make = family.get(instruction.name)
        if make is None:
            raise operands.unsupported()
        step = make(operands)
        if instruction.guard is None:
            return step
        condition = operands.guard(instruction.guard)

        def guarded(m: Machine, active: Any) -> None:
            taking_part = active.only(condition(m))
            if taking_part is not None:
                step(m, taking_part)

        return guarded

    # -- a launch -----------------------------------------------------------------------------------------------

    def run(
        self,
        grid: Size,
        block: Size,
        arguments: Sequence[Any],
        seed: int,
        *,
        random_order: bool = False,
        shared_bytes: int = 0,
        trace: bool = False,
    ) -> Machine:
        """Runs the kernel, in place on arrays. `arguments`: an array or Placed for a pointer, else a number.

        `seed` decides what PTX leaves open: addresses, what registers and shared memory hold at first, and with
        `random_order` who goes first. With `trace`, the machine's memory knows afterwards who wrote what. Raises
        Undefined.
        """
        m = Machine(_three(grid), _three(block), np.random.default_rng(seed), self.formats, random_order)
        contents = self._place(m, arguments, shared_bytes)
        m.memory.begin(trace)
        for place, content in contents:
            m.memory.fill(place, content)
        with np.errstate(all="ignore"):
            m.run(self.blocks)
        m.memory.give_back()
        return m

    def _place(self, m: Machine, arguments: Sequence[Any], shared_bytes: int) -> list[tuple[int, bytes]]:
        """Gives all variables their addresses; returns what the buffer holds at first, and where."""
        contents: list[tuple[int, bytes]] = []
        offsets = {"shared": 16, "local": 16}
        for variable in sorted(self.variables, key=lambda each: "extern" in str(each.declaration.linkage)):
            size = size_of(variable.declaration, variable.declarator)
            if variable.space in offsets:
                aligned = max(variable.declaration.alignment or 1, FORMATS[variable.declaration.type].bytes)
                offsets[variable.space] = (offsets[variable.space] + aligned - 1) // aligned * aligned
                m.symbols[variable.key] = offsets[variable.space]
                offsets[variable.space] += size
            else:
                m.symbols[variable.key], place = m.memory.add(size)
                contents.append((place, self._initial(variable, size)))
        m.memory.private("shared", offsets["shared"] + shared_bytes, m.block)
        m.memory.private("local", offsets["local"], np.arange(m.size))
        if len(arguments) != len(self.parameters):
            raise TypeError(f"{self.function.name} takes {len(self.parameters)} arguments, not {len(arguments)}")
        for parameter, argument in zip(self.parameters, arguments, strict=True):
            packed = self._packed(m, parameter, argument)
            _, place = m.memory.add(len(packed))
            m.symbols[parameter.key] = place
            contents.append((place, packed))
        return contents

    def _packed(self, m: Machine, parameter: Variable, argument: Any) -> bytes:
        size = size_of(parameter.declaration, parameter.declarator)
        of = FORMATS[parameter.declaration.type]
        if isinstance(argument, Placed) or (isinstance(argument, np.ndarray) and argument.ndim):
            return m.memory.pointer(argument).to_bytes(8, "little")
        if isinstance(argument, bytes):
            packed = argument
        elif of.kind == "f":
            packed = np.array([argument], of.dtype).tobytes()
        elif isinstance(argument, np.generic):
            packed = argument.tobytes()
        else:
            packed = (int(argument) & (1 << of.bits) - 1).to_bytes(of.bytes, "little")
        if len(packed) != size:
            raise TypeError(f"{parameter.declarator.name} has {size} bytes, {argument!r} {len(packed)}")
        return packed

    def _initial(self, variable: Variable, size: int) -> bytes:
        of = FORMATS[variable.declaration.type]

        def flat(initializer: object) -> list[int]:
            if isinstance(initializer, tuple):
                return [number for item in initializer for number in flat(item)]
            if not isinstance(initializer, Immediate):
                raise Unsupported(f"{variable.declarator.name}: the address of a variable in another")
            if isinstance(initializer.value, float):
                return [int(np.array([initializer.value], of.dtype).view(of.raw)[0])]
            return [initializer.value & (1 << of.bits) - 1]

        found = variable.declarator.initializer
        return np.array(flat(found) if found is not None else [], of.raw).tobytes().ljust(size, b"\0")


def run(module: Module, kernel: str, grid: Size, block: Size, arguments: Sequence[Any], seed: int) -> None:
    """Runs a kernel of a module in place on arrays, lanes in order. See `Program.run`."""
    Program(module, kernel).run(grid, block, arguments, seed)
