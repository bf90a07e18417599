# SPDX-License-Identifier: Apache-2.0
"""The code of a function while it is translated: blocks, registers, operands and addresses.

The translations of instructions read and write registers here, and make what they compute with `build`. Registers that
are declared for bits are numbers of floating point where all instructions that write them make such numbers.
"""

from __future__ import annotations

from typing import Final, Protocol, final

from lanewise.frontend.ptx import special_registers
from lanewise.frontend.ptx.address_spaces import POINTER_TO_SHARED, generic
from lanewise.frontend.ptx.operands import constant
from lanewise.frontend.ptx.ptx_types import TYPES, bits_of, is_floating
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.frontend.ptx.registers import Registers
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.layout import size_of
from lanewise.ir.module import Module
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, Global, Value, i64, int_constant
from lanewise.ptx.control.steps import Register, Scope, Step, steps_of
from lanewise.ptx.language import module as ptx
from lanewise.ptx.language.operands import (
    Address,
    Combined,
    Immediate,
    Name,
    Negated,
    Offset,
    Operand,
    Pair,
    Vector,
)  # fmt: skip
from lanewise.ptx.language.statements import Declaration


class ModuleSymbols(Protocol):
    """The symbols of the module that a function is in."""

    @property
    def module(self) -> Module: ...

    @property
    def flushes(self) -> bool: ...

    @property
    def references(self) -> dict[Global, str]:
        """The textures and surfaces by name that are known, and the kind of each."""
        ...

    def address(self, name: str) -> Global:
        """The variable or function of a name."""
        ...

    def function(self, name: str) -> Function:
        """The function of a name, to be called."""
        ...

    def declare_in(self, function: ptx.Function, declaration: Declaration, name: str) -> Global:
        """A variable that a function declares."""
        ...

    def place(self, start: int, function: Function) -> str | None:
        """The node of the place in the source of the statement that starts there; None if it isn't known."""
        ...


class Locals(Protocol):
    """The parameters of a function, and the variables that it declares."""

    def argument(self, code: PtxCode, operand: Operand, type_: Type) -> Argument | None:
        """The argument that is the whole value at an address."""
        ...

    def variable(self, code: PtxCode, name: str, scope: Scope) -> Value:
        """The address of a variable."""
        ...

    def registers(self) -> list[tuple[str, Argument]]:
        """The parameters that are registers."""
        ...

    def result(self, code: PtxCode) -> Value | None:
        """The value that the function returns at its end."""
        ...


class Counters(Protocol):
    """Counters of a function, see `counting`."""

    def enter(self, place: int) -> None:
        """Count the warp that comes to the block that begins with a step, if one does."""
        ...

    def branch(self, place: int, taken: Value) -> None:
        """Count a guarded branch."""
        ...

    def access(self, place: int) -> None:
        """Count an instruction that is about to be executed, if it is guarded or accesses memory."""
        ...

    def part(self, place: int, pointer: Value, size: int) -> None:
        """Count one of the accesses of an instruction that loads or stores a matrix."""
        ...


@final
class PtxCode:
    """The translation of one function. `build` appends to the present block."""

    def __init__(self, source: ptx.Function, function: Function, symbols: ModuleSymbols, frame: Locals) -> None:
        self.source: Final = source
        self.function: Final = function
        self.symbols: Final = symbols
        self.frame: Final = frame
        self.entry: Final = Builder(function.add_block("entry"))
        """Appends to the block of variables, before all else."""
        self.build: Final = Builder(self.entry.block)
        self.steps: Final = steps_of(source).steps
        self.flushes: Final = symbols.flushes
        """Denormals count as zeros in all of the module, so that no instruction needs to say so."""
        self.step: Step
        """The step that is being translated."""
        self.counters: Counters | None = None
        """Counters to weave in."""
        self.registers: Final = Registers()
        self._types: Final[dict[Register, Type]] = {}
        self._floats: Final = _floating_registers(self.steps)
        self.blocks: Final[dict[int, Block]] = {}
        self._carry: Final = Register("the carry", "pred", -1)

    # -- blocks ------------------------------------------------------------------------------------------------

    def go_on(self, block: Block) -> None:
        """Continue in a block that may not be in the function yet."""
        if block not in self.function.blocks[-1:]:
            self.function.blocks.append(block)
        self.build.block = block

    @property
    def outermost(self) -> Scope:
        """The scope of the function itself, with its parameters."""
        return list(self.step.scope.around())[-1]

    def new_block(self, name: str, predecessors: int) -> Block:
        """A block with so many predecessors."""
        block = Block(name, self.function)
        self.add_block(block, predecessors)
        return block

    def add_block(self, block: Block, predecessors: int) -> None:
        self.function.blocks.append(block)
        self.registers.open(block, predecessors)

    def branch(self, target: Block) -> None:
        """End the block with a jump."""
        self.registers.connect(self.build.block, target)
        self.build.branch(target)

    def branch_if(self, condition: Value, yes: Block, no: Block) -> None:
        """End the block with a choice."""
        self.build.branch_if(condition, yes, no)
        self.registers.connect(self.build.block, yes)
        self.registers.connect(self.build.block, no)

    def switch(self, value: Value, default: Block, cases: list[tuple[Value, Block]]) -> None:
        """End the block with a choice among many."""
        self.build.switch(value, default, cases)
        for target in (default, *(block for _, block in cases)):
            self.registers.connect(self.build.block, target)

    def labelled(self, label: str) -> Block:
        """The block that a label of the present scope begins."""
        place = self.step.scope.label(label)
        if place is None:
            raise RefusedError(f"no label {label} is in the function")
        return self.blocks[place]

    def block_at(self, place: int) -> Block:
        """The block that begins with a step."""
        return self.blocks[place]

    def return_(self) -> None:
        """End the function."""
        type_ = self.function.result_type
        nothing = None if type_ is ty.VOID else Constant(type_, "undef")
        self.build.ret(self.frame.result(self) if self.steps else nothing)

    def is_ended(self) -> bool:
        instructions = self.build.block.instructions
        return bool(instructions) and instructions[-1].is_terminator

    # -- operands ----------------------------------------------------------------------------------------------

    def read(self, operand: Operand, word: str) -> Value:
        """An operand as PTX's type `word`."""
        type_ = TYPES.get(word)
        if type_ is None:
            raise RefusedError(f"the type .{word} is not supported")
        return self.read_as(operand, type_)

    def read_as(self, operand: Operand, type_: Type) -> Value:
        """An operand as a type of the kernel IR."""
        match operand:
            case Immediate():
                if type_.is_vector:
                    return self.as_type(constant(operand, ty.integer(bits_of(type_))), type_)
                return constant(operand, type_)
            case Name():
                return self.as_type(self._named(operand, type_), type_)
            case Offset():
                address = self.as_type(self._named(operand.base, type_), type_)
                return self.build.binary("add", address, int_constant(type_, operand.offset))
            case Combined():
                address = self.as_type(self._named(operand.name, type_), type_)
                return self.build.binary("add", address, int_constant(type_, self._place_in_array(operand)))
            case Negated():
                return self._negated(operand, type_)
            case Vector():
                return self._packed(operand, type_)
            case _:
                raise RefusedError(f"the operand {operand} is not supported")

    def _place_in_array(self, operand: Combined) -> int:
        """Bytes from the start of an array to an element of it, `table[2]`."""
        variable, address = self.variable(operand.name.text), operand.address
        if isinstance(address, Address) and isinstance(address.base, Immediate) and not address.offset:
            type_ = variable.value_type if isinstance(variable, Global) else None
            type_ = variable.source_type if isinstance(variable, Made) else type_
            if type_ is not None and type_.kind == "array":
                return int(address.base.value) * size_of(type_.inner, {})
        raise RefusedError(f"the operand {operand} is not supported")

    def _negated(self, operand: Negated, type_: Type) -> Value:
        value = self.read_as(operand.operand, type_)
        if operand.sign == "!":
            return self.build.binary("xor", value, int_constant(type_, 1))
        if type_.scalar.is_float:
            return self.build.emit(Made("fneg", type_, (value,)))
        return self.build.binary("sub", int_constant(type_, 0), value)

    def _packed(self, operand: Vector, type_: Type) -> Value:
        """The parts of a vector, the first one lowest."""
        whole = ty.integer(bits_of(type_))
        part = whole.bits // len(operand.items)
        result: Value = int_constant(whole, 0)
        for place, item in enumerate(operand.items):
            value = self.build.cast("zext", self.read_as(item, ty.integer(part)), whole)
            shifted = self.build.binary("shl", value, int_constant(whole, place * part)) if place else value
            result = self.build.binary("or", result, shifted) if place else shifted
        return self.as_type(result, type_)

    def _named(self, name: Name, type_: Type) -> Value:
        """The value of a register or of a special register, the handle of a texture or surface, or the address of
        another variable as an integer."""
        register = self.register(name.text)
        if register is not None:
            return self.value_of(register)
        if name.text[0] == "%" or name.text == "WARP_SZ":
            return special_registers.read(name.text, self.intrinsic, self.build)
        variable = self.variable(name.text)
        if variable in self.symbols.references:
            return self.build.load(ty.I64, variable, align=8)
        return self.build.cast("ptrtoint", generic(variable), type_ if type_.is_int else ty.I64)

    def variable(self, name: str) -> Value:
        """The address of a variable or a function, in its own space."""
        for scope in self.step.scope.around():
            if name in scope.declarations:
                return self.frame.variable(self, name, scope)
        return self.symbols.address(name)

    def declaration(self, name: str) -> Declaration | None:
        """The declaration of a variable in the present scope; None if the function has none of that name."""
        scopes = self.step.scope.around()
        return next((scope.declarations[name] for scope in scopes if name in scope.declarations), None)

    def register(self, name: str) -> Register | None:
        """The register of that name in the present scope."""
        return self.step.scope.register(name)

    def value_of(self, register: Register) -> Value:
        """The present value of a register."""
        return self.registers.read(self.build.block, register, self.type_of(register))

    def type_of(self, register: Register) -> Type:
        """The type of a register's value."""
        type_ = self._types.get(register)
        if type_ is None:
            type_ = TYPES.get(register.type)
            if type_ is None:
                raise RefusedError(f"a register of type .{register.type} is not supported")
            if type_.is_int and type_.bits > 8 and register in self._floats:
                type_ = {32: ty.FLOAT, 64: ty.DOUBLE}.get(type_.bits, type_)
            elif type_.is_vector:
                type_ = ty.integer(bits_of(type_))
            self._types[register] = type_
        return type_

    def as_type(self, value: Value, type_: Type) -> Value:
        """The low bits of a value as another type; a narrower one gets zeros."""
        if value.type is type_:
            return value
        have, want = bits_of(value.type), bits_of(type_)
        if have != want:
            value = self.as_integer(value)
            value = self.build.cast("trunc" if have > want else "zext", value, ty.integer(want))
        return value if value.type is type_ else self.build.cast("bitcast", value, type_)

    def extended(self, value: Value, type_: Type, signed: bool) -> Value:
        """An integer in a wider type."""
        if isinstance(value, Constant) and value.kind == "int":
            mask = (1 << value.type.bits) - 1
            return int_constant(type_, value.integer if signed else value.integer & mask)
        return self.build.cast("sext" if signed else "zext", value, type_)

    def as_integer(self, value: Value) -> Value:
        """The bits of a value."""
        bits = bits_of(value.type)
        return value if value.type.is_int else self.build.cast("bitcast", value, ty.integer(bits))

    # -- results -----------------------------------------------------------------------------------------------

    def write(self, operand: Operand, value: Value, signed: bool = False) -> None:
        """Set a register, or each part of a vector. A narrower value is extended by its sign, or by zeros."""
        if isinstance(operand, Vector):
            self._unpack(operand, value)
            return
        if not isinstance(operand, Name):
            raise RefusedError(f"{operand} as a result is not supported")
        if operand.text == "_":
            return
        register = self.register(operand.text)
        if register is None:
            raise RefusedError(f"{operand} is no register")
        type_ = self.type_of(register)
        if signed and bits_of(value.type) < bits_of(type_):
            value = self.build.cast("sext", self.as_integer(value), ty.integer(bits_of(type_)))
        self.registers.write(self.build.block, register, self.as_type(value, type_))

    def _unpack(self, operand: Vector, value: Value) -> None:
        whole = self.as_integer(value)
        part = ty.integer(whole.type.bits // len(operand.items))
        for place, item in enumerate(operand.items):
            shift = int_constant(whole.type, place * part.bits)
            shifted = self.build.binary("lshr", whole, shift) if place else whole
            self.write(item, self.build.cast("trunc", shifted, part))

    def write_pair(self, operand: Operand, value: Value, predicate: Value) -> None:
        """Set the results of `%r|%p`, or of `%r` alone."""
        if isinstance(operand, Pair):
            self.write(operand.first, value)
            self.write(operand.second, predicate)
        else:
            self.write(operand, value)

    @property
    def carry(self) -> Value:
        """The carry of the last instruction with `.cc`."""
        return self.registers.read(self.build.block, self._carry, ty.I1)

    @carry.setter
    def carry(self, value: Value) -> None:
        self.registers.write(self.build.block, self._carry, value)

    # -- memory ------------------------------------------------------------------------------------------------

    def pointer(self, operand: Operand, space: str) -> Value:
        """The memory at an address of a space; "" for a generic one."""
        if isinstance(operand, Combined):
            start = self.in_space(self.variable(operand.name.text), space)
            return self.offset(start, self._place_in_array(operand))
        if not isinstance(operand, Address):
            raise RefusedError(f"the address {operand} is not supported")
        if isinstance(operand.base, Immediate):
            number = constant(operand.base, ty.I64)
            return self.offset(self.to_pointer(number, space), operand.offset)
        if self.register(operand.base.text) is None:
            return self.offset(self.in_space(self.variable(operand.base.text), space), operand.offset)
        return self.offset(self.to_pointer(self.as_integer(self._named(operand.base, ty.I64)), space), operand.offset)

    def to_pointer(self, number: Value, space: str) -> Value:
        """The pointer of an address."""
        if space.startswith("shared"):
            return self.build.cast("inttoptr", number, POINTER_TO_SHARED)
        if number.type.bits != 64:
            raise RefusedError(
                f"an address of {number.type.bits} bits of .{space or 'generic'} memory is not supported"
            )
        return self.build.cast("inttoptr", number, ty.PTR)

    def in_space(self, pointer: Value, space: str) -> Value:
        """A variable's address as a pointer of an access: those of shared memory keep their space, all else is
        generic."""
        shared = pointer.type.addrspace == SHARED
        if shared and space.startswith("shared"):
            return pointer
        if shared or space.startswith("shared"):
            raise RefusedError(f".{space or 'generic'} access to a variable of another space")
        return generic(pointer)

    def offset(self, pointer: Value, count: int) -> Value:
        """The address so many bytes after another."""
        if not count:
            return pointer
        made = Made("getelementptr", pointer.type, (pointer, i64(count)), source_type=ty.I8)
        return self.build.emit(made)

    # -- calls -------------------------------------------------------------------------------------------------

    def intrinsic(self, name: str, result: Type, *arguments: Value) -> Value:
        """A call of `llvm.NAME`."""
        type_ = ty.function(result, tuple(argument.type for argument in arguments))
        return self.build.call_function(self.symbols.module.declare(f"llvm.{name}", type_), arguments)


def _floating_registers(steps: list[Step]) -> frozenset[Register]:
    """Registers that only instructions on numbers of floating point write, apart from moves and loads of bits."""
    floating: set[Register] = set()
    others: set[Register] = set()
    for step in steps:
        words = [word for word in step.instruction.modifiers if word in TYPES]
        if not words or not step.writes:
            continue
        word = words[0] if step.instruction.name == "cvt" else words[-1]
        if word[0] == "b" and not is_floating(word):
            continue
        wanted = floating if word in ("f32", "f64") else others
        wanted.update(r for r in step.writes if r.type != "pred")
    return frozenset(floating - others)
