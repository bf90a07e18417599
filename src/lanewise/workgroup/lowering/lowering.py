# SPDX-License-Identifier: Apache-2.0
"""Instructions of the device in terms of the host, one at a time.

Work-item queries become values at hand, fences and traps those of the host; address spaces and scopes of
synchronisation are dropped. What the CPU can't do is refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Final, NoReturn, Protocol, final

from lanewise.errors import CompileError
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.instruction import CallSite, Instruction, Ordering
from lanewise.ir.intrinsics import INTRINSICS, intrinsic_of
from lanewise.ir.texture_functions import texture_function
from lanewise.ir.values import Constant, Value, i32, i64
from lanewise.workgroup.layout.frame import Frame, ItemIds
from lanewise.workgroup.layout.host_types import host_type
from lanewise.workgroup.layout.local_size import LocalSize
from lanewise.workgroup.layout.out_of_line import Records
from lanewise.workgroup.layout.shared_addresses import convert_shared_address, converts_shared_address
from lanewise.workgroup.layout.symbols import Symbols
from lanewise.workgroup.lowering.division import DIVISIONS, safe_division
from lanewise.workgroup.lowering.expansions import EXPANSIONS
from lanewise.workgroup.lowering.floats.builder import FloatBuilder
from lanewise.workgroup.lowering.floats.expansions import float_expansion
from lanewise.workgroup.lowering.floats.narrow import holds_bfloat, narrow
from lanewise.workgroup.lowering.library import LIBRARY_FUNCTIONS, what_is_missing
from lanewise.workgroup.lowering.memory_spaces import is_in_space
from lanewise.workgroup.lowering.out_of_line_calls import OutOfLineCalls
from lanewise.workgroup.lowering.runtime_calls import RUNTIME_CALLS
from lanewise.workgroup.lowering.textures import lower_texture_call

_SPECIAL_REGISTER: Final = "llvm.nvvm.read.ptx.sreg."
_POINTER_SUFFIX: Final = re.compile(r"\.p\d+(?=\.|$)")
_NO_OPERATION: Final = frozenset({"llvm.debugtrap"})
_KEPT_METADATA: Final = frozenset({"!tbaa", "!llvm.loop"})


class WarpExchanges(Protocol):
    """Operations of the warp among threads with stacks of their own."""

    def emit(self, call: Instruction, arguments: list[Value], build: Builder, ids: ItemIds) -> Value | None:
        """The result of an operation, or of a wait for other warps."""
        ...

    def before_access(self, access: Instruction, build: Builder) -> None:
        """Emit what an instruction needs before it, if it accesses memory in lock-step."""
        ...


@final
class Lowering:
    """The lowering of one function's instructions. `owner` is its name in messages: "kernel _Z3sumPf". `saturates`: the
    processor's conversions to integers do."""

    def __init__(self, owner: str, frame: Frame, symbols: Symbols, records: Records | None = None, warps: bool = False,
                 exchanges: WarpExchanges | None = None, saturates: bool = False) -> None:  # fmt: skip
        self.owner: Final = owner
        self.frame: Final = frame
        self.symbols: Final = symbols
        self.keeps_warp_operations: Final = warps
        """They stay calls, which the mapping to lanes knows."""
        self._exchanges: Final = exchanges
        self._saturates: Final = saturates
        self._calls: Final = OutOfLineCalls(owner, frame, symbols, records)

    def lower(
        self, instruction: Instruction, operands: Sequence[Value], build: Builder, ids: ItemIds | None
    ) -> Value | None:
        """Append the host's form of `instruction`, whose operands are lowered already.

        `ids` is None in code that runs once per group. Returns None if there is no result.
        """
        if self._exchanges is not None:
            self._exchanges.before_access(instruction, build)
        if instruction.op == "call":
            return self._call(instruction, operands, build, ids)
        if instruction.op == "addrspacecast":
            return operands[0]
        if converts_shared_address(instruction.op, instruction.operands, instruction.type):
            return convert_shared_address(instruction.op, operands[0], instruction.type, self.frame.arena, build)
        if instruction.op in DIVISIONS:
            operands = safe_division(build, instruction.op, *operands)
        narrowed = narrow(FloatBuilder(build, self.symbols.external), instruction, operands)
        if narrowed is not None:
            return narrowed
        if holds_bfloat(instruction) and instruction.op == "atomicrmw":
            self.refuse("atomic arithmetic on bfloat is not supported")
        ordering = instruction.ordering
        if ordering is not None:
            ordering = ordering._replace(scope="")
        source = host_type(instruction.source_type) if instruction.source_type else None
        new = Instruction(
            instruction.op,
            host_type(instruction.type),
            operands,
            name=instruction.name,
            flags=() if holds_bfloat(instruction) else instruction.flags,
            metadata=tuple(m for m in instruction.metadata if m[0] in _KEPT_METADATA),
            predicate=instruction.predicate,
            source_type=source,
            align=instruction.align,
            ordering=ordering,
            indices=instruction.indices,
        )
        return build.emit(new)

    def calls_out_of_line(self, instruction: Instruction) -> bool:
        """The instruction calls a function that is not inlined."""
        return instruction.op == "call" and self._calls.is_out_of_line(instruction.operands[0])

    def refuse(self, what: str) -> NoReturn:
        raise CompileError(f"{self.owner}: {what} on the CPU device")

    # -- calls -------------------------------------------------------------------------------------------------

    def _call(self, call: Instruction, operands: Sequence[Value], build: Builder, ids: ItemIds | None) -> Value | None:
        callee = call.operands[0]
        if isinstance(callee, Constant) and callee.kind == "asm":
            self.refuse(f"inline assembly ({callee.text}) can't run")
        arguments = operands[1:]
        if self._calls.is_out_of_line(callee):
            return self._calls.call(call, operands[0], arguments, build, ids)
        assert isinstance(callee, Function)
        name = callee.symbol
        if name.startswith(_SPECIAL_REGISTER):
            return self._special_register(name.removeprefix(_SPECIAL_REGISTER), build, ids)
        if name.startswith("llvm.") or name in INTRINSICS:
            return self._intrinsic(call, name, arguments, build, ids)
        runtime_call = RUNTIME_CALLS.get(name)
        if runtime_call is not None:
            return runtime_call(arguments, self.frame, build, ids)
        texture = texture_function(name)
        if texture is not None:
            return lower_texture_call(texture, arguments, self.frame, build)
        if name not in LIBRARY_FUNCTIONS:
            raise CompileError(f"{self.owner} {what_is_missing(name)}")
        return self._external_call(call, name, arguments, build)

    def _intrinsic(
        self, call: Instruction, name: str, arguments: Sequence[Value], build: Builder, ids: ItemIds | None
    ) -> Value | None:
        row = intrinsic_of(name)
        if row is None:
            self.refuse(f"intrinsic {name} is not known")
        if row.ignorable or row.name in _NO_OPERATION:
            return None
        runtime_call = RUNTIME_CALLS.get(row.name)
        if runtime_call is not None:
            return runtime_call(arguments, self.frame, build, ids)
        if row.name.startswith("llvm.nvvm.membar"):
            return build.emit(Instruction("fence", ty.VOID, ordering=Ordering("seq_cst")))
        expand = EXPANSIONS.get(row.name)
        if expand is not None:
            return expand(build, host_type(call.type), arguments)
        expand_floats = float_expansion(row.name, call, self._saturates)
        if expand_floats is not None:
            return expand_floats(FloatBuilder(build, self.symbols.external), host_type(call.type), arguments)
        if row.name.startswith("llvm.nvvm.isspacep."):
            return is_in_space(row.name.rpartition(".")[2], arguments[0], self.frame, self.symbols, build)
        if row.convergent:
            if self._exchanges is not None and ids is not None:
                return self._exchanges.emit(call, list(arguments), build, ids)
            if not self.keeps_warp_operations:
                is_wide = row.name.startswith("lw.wide.")
                operation = "a sub-group of 64" if is_wide else row.name.removeprefix("llvm.nvvm.")
                self.refuse(f'{operation} needs a warp: neither mapping="loop" nor functions not inlined have one')
            return self._external_call(call, name, arguments, build)
        if row.name.startswith("llvm.nvvm."):
            self.refuse(f"{row.name.removeprefix('llvm.nvvm.')} (an operation of the GPU) is not supported")
        if holds_bfloat(call):
            self.refuse(f"{row.name} of bfloat is not supported")
        return self._external_call(call, _POINTER_SUFFIX.sub(".p0", name), arguments, build)

    def _external_call(self, call: Instruction, name: str, arguments: Sequence[Value], build: Builder) -> Instruction:
        site = call.call
        assert site is not None
        type_ = host_type(site.function_type)
        target = self.symbols.external(name, type_)
        flags = tuple(f for f in call.flags if f not in ("tail", "musttail", "notail"))
        new = Instruction("call", type_.inner, (target, *arguments), name=call.name, flags=flags, call=CallSite(type_))
        return build.emit(new)

    # -- work-item queries -------------------------------------------------------------------------------------

    def _special_register(self, name: str, build: Builder, ids: ItemIds | None) -> Value:
        register, _, part = name.partition(".")
        axis = "xyz".find(part) if part else 0
        match register:
            case "ctaid":
                return self.frame.group[axis]
            case "ntid":
                return self.frame.block.extent(axis)
            case "nctaid":
                return self.frame.grid(axis)
            case "warpsize":
                return i32(32)
            case "nwarpid":
                return _warps(self.frame.block, build)
            case "nsmid":
                return i32(1)
            case "smid":
                return i32(0)
            case "gridid":
                return i64(0)
            case "clock64" | "globaltimer" | "clock":
                counter = self.symbols.external("llvm.readcyclecounter", ty.function(ty.I64, ()))
                now = build.call_function(counter, (), "clock")
                return build.cast("trunc", now, ty.I32) if register == "clock" else now
            case _:
                assert ids is not None, f"{name} differs between work-items"
                return ids.local[axis] if register == "tid" else _in_warp(register, part, build, ids)


def _warps(block: LocalSize, build: Builder) -> Value:
    """The number of warps of a group, including one that is not full."""
    if block.known is not None:
        return i32(-(-prod(block.known) // 32))
    rounded = build.binary("add", block.work_items, i64(31))
    return build.cast("trunc", build.binary("lshr", rounded, i64(5)), ty.I32)


def _in_warp(register: str, relation: str, build: Builder, ids: ItemIds) -> Value:
    """A work-item's place in its warp: 32 consecutive work-items in linear order."""
    linear = build.cast("trunc", ids.linear, ty.I32)
    if register == "warpid":
        return build.binary("lshr", linear, i32(5))
    lane = build.binary("and", linear, i32(31))
    if register == "laneid":
        return lane
    own = build.binary("shl", i32(1), lane)
    below = build.binary("sub", own, i32(1))
    match relation:
        case "eq":
            return own
        case "lt":
            return below
        case "le":
            return build.binary("or", own, below)
        case "ge":
            return build.binary("xor", below, i32(-1))
        case _:
            return build.binary("xor", build.binary("or", own, below), i32(-1))
