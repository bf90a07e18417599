# SPDX-License-Identifier: Apache-2.0
"""Kernels of OpenCL C whose neighbours in memory are work-items along y: matrices of rows that are numbered by x.

A launch without a local size leaves the size of work-groups to us. For such a kernel they had better be long along y:
groups along x would touch a cache line per work-item, often all in one set of the cache. Nothing but speed depends on
the answer, so loops and branches are not looked at.

Method: each value has a step along x and y, the difference between neighbours as far as that is a constant. Variables
of a kernel that isn't optimised are in memory: the steps of all that is stored there are joined, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from lanewise.frontend.opencl.own_functions import BODY
from lanewise.ir import effects
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import size_of
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, Value

Steps = tuple[int | None, int | None]
"""From one work-item to the next along x and y; None if that is no constant."""

_GLOBAL_ID: Final = "_Z13get_global_idj"
_BUILT_IN: Final = ("_Z", "__lw", "llvm.")
_SAME: Final = frozenset({"sext", "zext", "trunc", "freeze", "bitcast", "addrspacecast"})
_UNIFORM: Final[Steps] = (0, 0)
_UNKNOWN: Final[Steps] = (None, None)


def goes_along_y(module: Module, kernel: Function) -> bool:
    """Return whether some accesses of a kernel are to neighbours along y, all others there to one place, and some along
    x to other places. False for kernels that call functions of their own or hand pointers to built-in ones."""
    called = [i.operands for i in kernel.instructions() if i.callee.startswith(BODY)]
    bodies = [each for operands in called for each in operands if isinstance(each, Function)]
    body = bodies[0] if len(bodies) == 1 else kernel
    calls = [i for i in body.instructions() if i.op == "call" and not i.is_debug_record]
    if not any(i.callee == _GLOBAL_ID for i in calls) or not all(map(_is_plain, calls)):
        return False
    steps = _Steps(module, body)
    along_x, along_y = 0, 0
    has_neighbours = False
    for access in body.instructions():
        if access.op not in effects.ACCESSES or _alloca(effects.pointer_operand(access)) is not None:
            continue
        x, y = steps.of(effects.pointer_operand(access))
        size = size_of(effects.accessed_type(access), module.types)
        along_x += x is None or abs(x) not in (0, size)
        along_y += y is None or abs(y) not in (0, size)
        has_neighbours = has_neighbours or (y is not None and abs(y) == size)
    return along_x > 0 and along_y == 0 and has_neighbours


def _is_plain(call: Instruction) -> bool:
    """Return whether a call is of a built-in function that accesses no array."""
    hands_on = any(a.type.is_pointer for a in call.arguments) and not call.callee.startswith("llvm.lifetime")
    return call.callee.startswith(_BUILT_IN) and not hands_on


def _alloca(pointer: Value) -> Instruction | None:
    """The variable that a pointer is into; None if it is to memory of others."""
    while isinstance(pointer, Instruction) and pointer.op in ("getelementptr", "addrspacecast"):
        pointer = pointer.operands[0]
    return pointer if isinstance(pointer, Instruction) and pointer.op == "alloca" else None


@final
class _Steps:
    """The steps of all values of a function."""

    def __init__(self, module: Module, function: Function) -> None:
        self._module: Final = module
        self._known: Final[dict[Value, Steps]] = {}
        self._stored: Final[dict[Value, Steps]] = {}
        """The steps of what the variables in memory hold."""
        instructions = [i for i in function.instructions() if not i.is_debug_record]
        changed = True
        while changed:
            changed = False
            for each in instructions:
                changed |= self._update(each)

    def of(self, value: Value) -> Steps:
        """The steps of a value; of one that isn't known yet, as of a constant."""
        return self._known.get(value, _UNIFORM)

    def _update(self, instruction: Instruction) -> bool:
        """Look at an instruction again; return whether anything has changed."""
        if instruction.op == "store":
            value, pointer = instruction.operands[:2]
            old = self._stored.get(pointer)
            new = self.of(value) if old is None else _joined(old, self.of(value))
            self._stored[pointer] = new
            return new != old
        old = self._known.get(instruction)
        new = self._steps(instruction) if old is None else _joined(old, self._steps(instruction))
        self._known[instruction] = new
        return new != old

    def _steps(self, i: Instruction) -> Steps:
        if i.op == "call" and i.callee == _GLOBAL_ID:
            axis = _integer(i.arguments[0])
            return {0: (1, 0), 1: (0, 1), 2: _UNIFORM}.get(-1 if axis is None else axis, _UNKNOWN)
        if i.op == "load":
            return self._loaded(i.operands[0])
        operands = [self.of(operand) for operand in (i.arguments if i.op == "call" else i.operands)]
        if i.op in _SAME:
            return operands[0]
        if i.op in ("add", "sub"):
            return _added(operands[0], operands[1], -1 if i.op == "sub" else 1)
        if i.op in ("mul", "shl") and not i.type.is_vector:
            for variable, constant in ((0, 1), (1, 0)) if i.op == "mul" else ((0, 1),):
                factor = _factor(i, i.operands[constant])
                if factor is not None:
                    return _scaled(operands[variable], factor)
        if i.op == "getelementptr" and len(operands) == 2 and i.source_type is not None:
            return _added(operands[0], _scaled(operands[1], size_of(i.source_type, self._module.types)), 1)
        return _of_any([x for x, _ in operands]), _of_any([y for _, y in operands])

    def _loaded(self, pointer: Value) -> Steps:
        if isinstance(pointer, Instruction) and pointer.op == "alloca":
            return self._stored.get(pointer, _UNIFORM)
        if _alloca(pointer) is not None:
            return _UNKNOWN
        x, y = self.of(pointer)
        return 0 if x == 0 else None, 0 if y == 0 else None


def _factor(i: Instruction, constant: Value) -> int | None:
    """The number that a product or a shift by a constant multiplies by; None for others and shifts without meaning."""
    number = _integer(constant)
    if number is None or i.op == "mul":
        return number
    return 1 << number if 0 <= number < i.type.bits else None


def _integer(value: Value) -> int | None:
    return value.integer if isinstance(value, Constant) and value.kind in ("int", "zeroinitializer") else None


def _joined(a: Steps, b: Steps) -> Steps:
    return a[0] if a[0] == b[0] else None, a[1] if a[1] == b[1] else None


def _added(a: Steps, b: Steps, sign: int) -> Steps:
    x, y = (None if p is None or q is None else p + sign * q for p, q in zip(a, b, strict=True))
    return x, y


def _scaled(a: Steps, factor: int) -> Steps:
    x, y = (None if step is None else step * factor for step in a)
    return x, y


def _of_any(steps: Iterable[int | None]) -> int | None:
    """The step of a result of which only this is known: it is the same if all operands are."""
    return 0 if all(step == 0 for step in steps) else None
