# SPDX-License-Identifier: Apache-2.0
"""Instructions of the device in terms of the host, one at a time.

Work-item queries become values at hand, fences and traps what the host has for them, address spaces and scopes of
synchronisation go. What the CPU can't do is refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NoReturn, final

from lanewise.errors import CompileError
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.instruction import CallSite, Instruction, Ordering
from lanewise.ir.intrinsics import intrinsic_of
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32, i64
from lanewise.workgroup import abi
from lanewise.workgroup.division import DIVISIONS, safe_division
from lanewise.workgroup.expansions import EXPANSIONS
from lanewise.workgroup.frame import Frame, ItemIds
from lanewise.workgroup.host_types import host_type
from lanewise.workgroup.symbols import Symbols

_SPECIAL_REGISTER: Final = "llvm.nvvm.read.ptx.sreg."
_POINTER_SUFFIX: Final = re.compile(r"\.p\d+(?=\.|$)")
_NO_OPERATION: Final = frozenset({"llvm.nvvm.nanosleep", "llvm.debugtrap"})
_KEPT_METADATA: Final = frozenset({"!tbaa", "!llvm.loop"})


@final
class Lowering:
    """Lowers the instructions of one kernel into one work-group function."""

    def __init__(self, kernel: Function, frame: Frame, symbols: Symbols) -> None:
        self.kernel: Final = kernel
        self.frame: Final = frame
        self.symbols: Final = symbols

    def lower(
        self, instruction: Instruction, operands: Sequence[Value], build: Builder, ids: ItemIds | None
    ) -> Value | None:
        """Append the host's form of `instruction`, whose operands are lowered already.

        `ids` is None in code that runs once a group. Gives None where there is no result.
        """
        if instruction.op == "call":
            return self._call(instruction, operands, build, ids)
        if instruction.op == "addrspacecast":
            return operands[0]
        if instruction.op in DIVISIONS:
            operands = safe_division(build, instruction.op, *operands)
        ordering = instruction.ordering
        if ordering is not None:
            ordering = ordering._replace(scope="")
        source = host_type(instruction.source_type) if instruction.source_type else None
        new = Instruction(
            instruction.op,
            host_type(instruction.type),
            operands,
            name=instruction.name,
            flags=instruction.flags,
            metadata=tuple(m for m in instruction.metadata if m[0] in _KEPT_METADATA),
            predicate=instruction.predicate,
            source_type=source,
            align=instruction.align,
            ordering=ordering,
            indices=instruction.indices,
        )
        return build.emit(new)

    def refuse(self, what: str) -> NoReturn:
        raise CompileError(f"kernel {self.kernel.symbol}: {what} on the CPU device")

    # -- calls -------------------------------------------------------------------------------------------------

    def _call(self, call: Instruction, operands: Sequence[Value], build: Builder, ids: ItemIds | None) -> Value | None:
        callee = call.operands[0]
        if isinstance(callee, Constant) and callee.kind == "asm":
            self.refuse(f"inline assembly ({callee.text}) can't run")
        if not isinstance(callee, Function):
            self.refuse("calls through function pointers are not supported")
        name = callee.symbol
        arguments = operands[1:]
        if name.startswith(_SPECIAL_REGISTER):
            return self._special_register(name.removeprefix(_SPECIAL_REGISTER), build, ids)
        if name.startswith("llvm."):
            return self._intrinsic(call, name, arguments, build, ids)
        if name == "vprintf":
            printf = self.frame.service(abi.SERVICE_PRINTF)
            return build.call(printf, abi.PRINTF, (self.frame.launch, *arguments), call.name)
        if name == "__assertfail":
            return self._stop(build, ids, abi.SERVICE_ASSERT, abi.ASSERT, arguments[:4])
        if not callee.is_declaration:
            return self.symbols.symbol(callee)  # was not inlined, since it calls itself: refused there
        return self._external_call(call, name, arguments, build)

    def _intrinsic(
        self, call: Instruction, name: str, arguments: Sequence[Value], build: Builder, ids: ItemIds | None
    ) -> Value | None:
        row = intrinsic_of(name)
        if row is None:
            self.refuse(f"intrinsic {name} is not known")
        if row.ignorable or row.name in _NO_OPERATION:
            return None
        if row.name == "llvm.trap":
            return self._stop(build, ids, abi.SERVICE_TRAP, abi.TRAP, ())
        if row.name.startswith("llvm.nvvm.membar"):
            return build.emit(Instruction("fence", ty.VOID, ordering=Ordering("seq_cst")))
        expand = EXPANSIONS.get(row.name)
        if expand is not None:
            return expand(build, host_type(call.type), arguments)
        if row.name.startswith("llvm.nvvm."):
            self.refuse(f"{row.name.removeprefix('llvm.nvvm.')} (an operation of the GPU) is not supported")
        return self._external_call(call, _POINTER_SUFFIX.sub(".p0", name), arguments, build)

    def _external_call(self, call: Instruction, name: str, arguments: Sequence[Value], build: Builder) -> Instruction:
        site = call.call
        assert site is not None
        type_ = host_type(site.function_type)
        target = self.symbols.external(name, type_)
        flags = tuple(f for f in call.flags if f not in ("tail", "musttail", "notail"))
        new = Instruction("call", type_.inner, (target, *arguments), name=call.name, flags=flags, call=CallSite(type_))
        return build.emit(new)

    def _stop(self, build: Builder, ids: ItemIds | None, service: int, type_: Type, more: Sequence[Value]) -> None:
        """Call a service that does not return. In code of the group, its first work-item answers for it."""
        item = ids.local if ids is not None else (i32(0), i32(0), i32(0))
        where = (self.frame.launch, *self.frame.group, *item)
        build.call(self.frame.service(service), type_, (*where, *more))

    # -- work-item queries -------------------------------------------------------------------------------------

    def _special_register(self, name: str, build: Builder, ids: ItemIds | None) -> Value:
        register, _, part = name.partition(".")
        axis = "xyz".find(part) if part else 0
        match register:
            case "ctaid":
                return self.frame.group[axis]
            case "ntid":
                return i32(self.frame.block[axis])
            case "nctaid":
                return self.frame.grid(axis)
            case "warpsize":
                return i32(32)
            case "nwarpid":
                return i32(-(-self.frame.work_items // 32))
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
