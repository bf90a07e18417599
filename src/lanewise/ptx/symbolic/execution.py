# SPDX-License-Identifier: Apache-2.0
"""Execution of one step in one state: results in registers, and effects on memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Set
from typing import Final, final

from lanewise.ptx.control.blocks import Flow
from lanewise.ptx.control.steps import Register, Step
from lanewise.ptx.declined import DeclinedError
from lanewise.ptx.language.opcodes import CARRIES, Effect, arguments_of, results_of
from lanewise.ptx.language.operands import Address, Name, Operand, Pair, Vector
from lanewise.ptx.language.statements import Instruction
from lanewise.ptx.symbolic.environment import Environment, width_of
from lanewise.ptx.symbolic.instructions import WIDTHS, Encoder, type_of
from lanewise.ptx.symbolic.loops import Loops
from lanewise.ptx.symbolic.memory import (
    ALL_SPACES,
    CLOBBERS,
    Access,
    clobbered_spaces,
    effect_of,
    element_bytes,
    gathers_warp,
    is_constant,
    is_plain_store,
    is_weak,
    may_touch,
    space_of,
    vector_length,
)
from lanewise.ptx.symbolic.parting import deciding, keeps_together, waits
from lanewise.ptx.symbolic.solver import Solver
from lanewise.ptx.symbolic.state import Lost, Sighting, State
from lanewise.ptx.symbolic.terms import Atom, Differs, Term

_SEEN_BY_OTHERS: Final = ("global", "shared", "generic")


@final
class Emulation:
    """The results of the emulator."""

    def __init__(self, flow: Flow, environment: Environment, solver: Solver) -> None:
        self.flow: Final = flow
        self.environment: Final = environment
        self.terms: Final = environment.terms
        self.operations: Final = environment.operations
        self.solver: Final = solver
        self.sightings: Final[dict[int, list[Sighting]]] = {}
        """Sightings of each load of global or shared memory, by the number of its step: one for each path to it."""
        self.trace: Final[list[Access]] = []
        """All loads and stores in the order of their emulation."""
        self.extensions: Final[dict[Atom, set[int]]] = {}
        """Steps that extend a number to more bits, by the extension."""
        self.made_by: Final[defaultdict[int, set[Atom]]] = defaultdict(set)
        """The extensions that such a step makes, on all paths."""
        self.extended: Final[dict[tuple[int, Atom], Register]] = {}
        """The register that such a step extends."""
        self.out_of_step: frozenset[int] = frozenset()
        """Headers of loops in which lanes that execute together may be in different iterations (`loops.py`)."""
        self.merges = 0
        """Number of merges because there were too many states."""


@final
class Execution:
    """Executes steps, and records the results in `found`."""

    def __init__(
        self,
        found: Emulation,
        loops: Loops,
        relevant: Set[int],
        parameters: Set[str],
        own_spaces: tuple[str, ...],
        unbroken: frozenset[str],
    ) -> None:
        """`relevant`: the steps whose results matter. `parameters`: those of the kernel. `own_spaces`: state spaces
        whose memory may be private to each lane. `unbroken`: functions in which lanes stay together."""
        self._found = found
        self._loops = loops
        self._terms = found.terms
        self._operations = found.operations
        self._environment = found.environment
        self._encoder = Encoder(found.terms, found.operations)
        self._relevant = relevant
        self._parameters = parameters
        self._own_spaces = own_spaces
        self._unbroken = unbroken
        self._held = frozenset(r for s in found.flow.steps if s.instruction.name in ("ld", "ldu") for r in s.writes)
        """Registers that hold loaded values."""
        self._accesses: dict[tuple[int, Term, bool], Access] = {}

    def step(self, step: Step, state: State) -> None:
        instruction = step.instruction
        effect = effect_of(instruction)
        if effect is None:
            raise DeclinedError(f"the instruction {instruction.opcode} is not known", instruction.start)
        if not self._held.isdisjoint(step.writes):
            state.forget(step.writes, step.number)
        values: list[tuple[Register, Term]] = []
        if effect is Effect.LOAD:
            values = self._load(step, state)
        elif effect is Effect.STORE:
            self._store(step, state)
        elif effect in CLOBBERS:
            state.lose_all(Lost("between", step.number))
            for space in ALL_SPACES:
                state.versions[space] = f"step {step.number}"
            state.apart = not gathers_warp(instruction)
            values = [(r, self._terms.fresh(f"{instruction.name} {step.number}", width_of(r))) for r in step.writes]
        elif step.number in self._relevant:
            values = self._results(step, state, effect)
        guard = self._guard(step, state)
        if waits(instruction) and not gathers_warp(instruction) and self._may_part(step, state, guard):
            self._loops.part_within(self._found.flow.block_of(step.number))
        for register, value in values:
            if guard is None:
                state.registers[register] = value
            else:
                before = state.registers.get(register)
                if before is None:
                    before = self._terms.symbol(f"{register.name} before it is written", value.width, Differs.FREELY)
                state.registers[register] = self._operations.choose(guard, value, before)

    def _may_part(self, step: Step, state: State, guard: Term | None) -> bool:
        """True if lanes that wait at a step, or call, may continue at different times."""
        if not keeps_together(step, self._unbroken):
            return True
        terms = [self._operand(step, operand, state, 32) for operand in deciding(step.instruction)]
        return any(term.differs > Differs.BY_ROW for term in (*terms, *(() if guard is None else (guard,))))

    def _guard(self, step: Step, state: State) -> Term | None:
        """The condition of a guard; None if it is known to be true."""
        if step.guard is None:
            return None
        assert step.instruction.guard is not None
        condition = state.registers.get(step.guard)
        if condition is None:
            condition = self._terms.symbol(f"{step.guard.name} before it is written", 1, Differs.FREELY)
        if step.instruction.guard.negated:
            condition = self._terms.complement(condition)
        known = self._found.solver.decided(state.assumptions, condition)
        return None if known is True else self._terms.constant(1, 0) if known is False else condition

    def _results(self, step: Step, state: State, effect: Effect) -> list[tuple[Register, Term]]:
        """The results of a step that computes."""
        instruction = step.instruction
        if effect in (Effect.WARP, Effect.MOVING):
            return [(r, self._terms.fresh(f"{instruction.name} {step.number}", width_of(r))) for r in step.writes]
        if instruction.name in CARRIES or "cc" in instruction.modifiers:
            return [(r, self._terms.fresh(f"{instruction.name} {step.number}", width_of(r))) for r in step.writes]
        results = results_of(instruction)
        if not results:
            return []
        arguments = self._arguments(step, state)
        result = results[0]
        if isinstance(result, Name) and step.writes:
            register = step.writes[0]
            value = self._computed(step, instruction, arguments, width_of(register))
            return [(register, value)]
        if isinstance(result, Vector) and instruction.name == "mov":
            return self._unpacked(step, arguments[0])
        if isinstance(result, Pair) and instruction.name == "setp":
            return self._two_predicates(step, arguments)
        return [(r, self._terms.fresh(f"{instruction.name} {step.number}", width_of(r))) for r in step.writes]

    def _computed(self, step: Step, instruction: Instruction, arguments: list[Term], width: int) -> Term:
        if instruction.name == "cvta":
            space = space_of(instruction)
            if space == "global":
                return self._operations.extend("zext", arguments[0], width)
            window = self._terms.symbol(f"window of {space}", width, Differs.NOT)
            to = "to" in instruction.modifiers
            base = self._operations.extend("zext", arguments[0], width)
            return self._terms.subtract(base, window) if to else self._terms.add(base, window)
        value = self._encoder.encode(instruction, arguments, width)
        for atom in value.atoms():
            if atom.op in ("sext", "zext") and atom.args[0] in arguments:
                operand = arguments_of(instruction)[arguments.index(atom.args[0])]
                register = step.scope.register(operand.text) if isinstance(operand, Name) else None
                self._found.extensions.setdefault(atom, set()).add(step.number)
                self._found.made_by[step.number].add(atom)
                if register is not None:
                    self._found.extended[step.number, atom] = register
        return value

    def _arguments(self, step: Step, state: State) -> list[Term]:
        instruction = step.instruction
        widths = _argument_widths(instruction, self._environment.address_bits)
        return [
            self._operand(step, operand, state, widths(place))
            for place, operand in enumerate(arguments_of(instruction))
        ]

    def _operand(self, step: Step, operand: Operand, state: State, width: int) -> Term:
        if width == 0:  # as wide as it is
            register = step.scope.register(operand.text) if isinstance(operand, Name) else None
            width = width_of(register) if register is not None else 64
        return self._environment.operand(step, operand, state.registers, width)

    def _unpacked(self, step: Step, value: Term) -> list[tuple[Register, Term]]:
        """`mov.b64 {%r1, %r2}, %rd`"""
        vector = results_of(step.instruction)[0]
        assert isinstance(vector, Vector)
        part = value.width // len(vector.items)
        found: list[tuple[Register, Term]] = []
        for place, item in enumerate(vector.items):
            register = step.scope.register(item.text) if isinstance(item, Name) else None
            if register is not None:
                shift = self._terms.constant(32, place * part)
                low = self._terms.truncate(self._operations.binary("lshr", value, shift), part)
                found.append((register, self._operations.extend("zext", low, width_of(register))))
        return found

    def _two_predicates(self, step: Step, arguments: list[Term]) -> list[tuple[Register, Term]]:
        """`setp.lt.and.s32 %p|%q, a, b, %r`: the comparison and its negation, each combined with the third operand"""
        instruction = step.instruction
        compared = self._encoder.compared(instruction, arguments)
        if compared is None:
            compared = self._terms.apply("call", 1, tuple(arguments[:2]), instruction.opcode)
        pair = results_of(instruction)[0]
        assert isinstance(pair, Pair)
        found: list[tuple[Register, Term]] = []
        for item, value in ((pair.first, compared), (pair.second, self._terms.complement(compared))):
            register = step.scope.register(item.text) if isinstance(item, Name) else None
            if register is not None:
                found.append((register, self._encoder.combined(instruction, value, arguments)))
        return found

    # -- memory ------------------------------------------------------------------------------------------------

    def _load(self, step: Step, state: State) -> list[tuple[Register, Term]]:
        instruction = step.instruction
        address = next((o for o in instruction.operands if isinstance(o, Address)), None)
        if instruction.name not in ("ld", "ldu") or address is None:
            return [(r, self._terms.fresh(f"{instruction.name} {step.number}", width_of(r))) for r in step.writes]
        where = self._environment.address(step, address, state.registers)
        access = self._access(step, state, where, is_store=False)
        if not is_weak(instruction):
            state.lose_all(Lost("between", step.number))
            for clobbered in ALL_SPACES:
                state.versions[clobbered] = f"step {step.number}"
            state.apart = True
        values = self._loaded(step, state, access, is_weak(instruction))
        if access.space in _SEEN_BY_OTHERS and access.space not in self._own_spaces:
            self._found.sightings.setdefault(step.number, []).append(
                Sighting(access, state.trace, state.assumptions, state.lost, is_weak(instruction))
            )
            if is_weak(instruction):
                state.trace = (*state.trace, access)
        return values

    def _access(self, step: Step, state: State, where: Term, is_store: bool) -> Access:
        instruction = step.instruction
        operand = instruction.operands[-1 if is_store else 0]
        items = operand.items if isinstance(operand, Vector) else (operand,) * vector_length(instruction)
        elements = tuple(step.scope.register(item.text) if isinstance(item, Name) else None for item in items)
        surely = self._guard(step, state) is None
        key = (step.number, where, surely)
        found = self._accesses.get(key)
        if found is None:
            size = element_bytes(instruction)
            found = Access(step, is_store, space_of(instruction), where, size, elements, surely)
            self._accesses[key] = found
            if found.space in _SEEN_BY_OTHERS:
                self._found.trace.append(found)
        return found

    def _loaded(self, step: Step, state: State, access: Access, weak: bool) -> list[tuple[Register, Term]]:
        """The values of a load: functions of the address, as long as memory is unchanged.

        Lanes read the same value at one address if only the order of their own instructions determines it. A write of
        another thread that one lane must see, and another lane must not, is a data race. If a path has synchronised
        with other threads, lanes may have done so at different times (`State.apart`).
        """
        instruction = step.instruction
        if step.number not in self._relevant:
            return []
        bits = 8 * access.bytes
        found: list[tuple[Register, Term]] = []
        for place, register in enumerate(access.elements):
            if register is None:
                continue
            where = self._terms.add(access.address, self._terms.constant(access.address.width, place * access.bytes))
            if not weak or access.space in self._own_spaces or not self._is_argument(access):
                value = self._terms.fresh(f"ld {step.number}", bits)
            else:
                changes = not is_constant(instruction)
                version = state.versions.get(access.space, "") if changes else ""
                times = self._loops.times(step, access.space) if changes else ()
                if changes and state.apart:
                    times = (*times, self._terms.symbol("time of the lane", 1, Differs.FREELY))
                value = self._terms.apply(
                    "load", bits, (where, *times), f"{access.space}{' after ' if version else ''}{version}"
                )
            found.append((register, self._encoder.resized(value, width_of(register), type_of(instruction))))
        return found

    def _is_argument(self, access: Access) -> bool:
        """True unless the access is to parameter space that isn't an argument of the kernel, such as the result of a
        call."""
        if access.space != "param":
            return True
        address = next(o for o in access.step.instruction.operands if isinstance(o, Address))
        return isinstance(address.base, Name) and address.base.text in self._parameters

    def _store(self, step: Step, state: State) -> None:
        instruction = step.instruction
        address = next((o for o in instruction.operands if isinstance(o, Address)), None)
        spaces = clobbered_spaces(instruction)
        for space in spaces:
            state.versions[space] = f"step {step.number}"
        if address is None or not is_plain_store(instruction):
            state.lose_all(Lost("between", step.number))
            state.apart = True
            return
        where = self._environment.address(step, address, state.registers)
        access = self._access(step, state, where, is_store=True)
        state.keep_loads(lambda load: not may_touch(self._terms, access, load), Lost("stored", step.number))


def _argument_widths(instruction: Instruction, address_bits: int) -> Callable[[int], int]:
    """The width with which each argument is read; 0: its own width."""
    width = WIDTHS.get(type_of(instruction), 0)
    match instruction.name:
        case "shl" | "shr":
            return lambda place: width if place == 0 else 32
        case "selp":
            return lambda place: 1 if place == 2 else width
        case "setp" | "set":
            return lambda place: 1 if place == 2 else width
        case "mad" if "wide" in instruction.modifiers:
            return lambda place: 2 * width if place == 2 else width
        case "bfe":
            return lambda place: width if place == 0 else 32
        case "slct":
            first = WIDTHS.get(instruction.modifiers[-2], 32) if len(instruction.modifiers) > 1 else width
            return lambda place: width if place == 2 else first
        case "cvta":
            return lambda _: address_bits
        case _:
            return lambda _: width
