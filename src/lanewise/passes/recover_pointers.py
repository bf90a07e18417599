# SPDX-License-Identifier: Apache-2.0
"""recover-pointers: makes pointers of addresses that PTX computes as integers.

Why
    In PTX an address is an integer like any other. A pointer that is made of an integer may point to any memory: then
    neither arrays are told apart, nor neighbours in one array are seen to be neighbours.

Before
    define ptx_kernel void @f(i64 %p, i64 %i) {
      %a = inttoptr i64 %p to ptr
      %b = ptrtoint ptr %a to i64
      %c = shl i64 %i, 2
      %d = add i64 %b, %c
      %e = inttoptr i64 %d to ptr
      store i32 0, ptr %e
      ret void
    }

After
    define ptx_kernel void @f(ptr %p, i64 %i) {
      %b = ptrtoint ptr %p to i64
      %c = shl i64 %i, 2
      %d = add i64 %b, %c
      %1 = getelementptr i8, ptr %p, i64 %c
      store i32 0, ptr %1
      ret void
    }

Needs
    1. An `inttoptr` of a value of the function, not of a constant, that isn't only called.
    2. The value is a sum, a difference, a value with low bits cleared, a phi or a selection that comes from exactly one
       address: what was made of a pointer, or else a 64-bit argument or load. A sum of two such values has no address
       that is plain.
    3. The address is one of the same memory: shared, or any other.

Method
    The address that a value comes from is its *root*, and the sum of all else its offset. Values are graded: 3 for what
    was a pointer, 2 for what may be one, 1 for the latter with low bits cleared, 0 for numbers; the higher grade of a
    sum's operands is its own. Grades of loops start from 3 and fall until they agree. To clear low bits, as nvcc does
    to find the word of a byte, is to subtract them. An access through the root and the offset takes the place of the
    `inttoptr`. An argument of a kernel that is a root becomes a pointer.

When not
    A difference of two addresses is a number. What is no sum, such as an address with other bits masked off, stays a
    pointer made of an integer.

Neighbours
    The front end of PTX runs it on what it has translated. LLVM drops the integers afterwards.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, Value, int_constant

_NUMBER: Final = 0
_CLEARED: Final = 1
_MAYBE: Final = 2
_POINTER: Final = 3
_SUMS: Final = frozenset({"add", "sub", "and"})
_COMBINED: Final = _SUMS | {"phi", "select"}


def run(function: Function) -> bool:
    """Recover the pointers of a function; see above. Returns whether anything changed."""
    accesses = [
        i
        for i in function.instructions()
        if i.op == "inttoptr" and not isinstance(i.operands[0], Constant) and not _is_only_called(i)
    ]  # 1
    if not accesses:
        return False
    grades = _Grades(function)
    roots = _Roots(function, grades)
    changed = [roots.replace(access) for access in accesses]
    roots.finish()
    return any(changed)


@final
class _Grades:
    """The grade of each value."""

    def __init__(self, function: Function) -> None:
        combined = [i for i in function.instructions() if i.op in _COMBINED and i.type in (ty.I32, ty.I64)]
        self._known: Final[dict[Value, int]] = dict.fromkeys(combined, _POINTER)
        self._known.update((a, _MAYBE) for a in function.arguments if a.type is ty.I64)
        work = combined[::-1]
        while work:
            value = work.pop()
            grade = self._combined(value)
            if grade < self._known[value]:
                self._known[value] = grade
                work += [user for user in value.users if user in self._known]

    def _combined(self, value: Instruction) -> int:
        if value.op in ("phi", "select"):
            return min(map(self.of, _sources(value)))
        a, b = map(self.of, value.operands)
        if value.op == "and":
            cleared = a if a != _MAYBE else _CLEARED
            return _NUMBER if _cleared(value) is None else cleared
        if value.op == "sub":
            return a if a > b else _NUMBER
        return max(a, b) if a != b else _NUMBER  # 2

    def of(self, value: Value) -> int:
        """The grade of a value."""
        known = self._known.get(value)
        if known is not None or not isinstance(value, Instruction):
            return known or _NUMBER
        if value.op == "ptrtoint":
            return _POINTER
        return _MAYBE if value.op in ("load", "extractvalue") and value.type is ty.I64 else _NUMBER

    def address_of(self, value: Instruction) -> Value:
        """The operand of a sum that is its address."""
        a, b = value.operands
        if value.op == "and":
            return a
        return a if self.of(a) > self.of(b) else b


def _cleared(value: Instruction) -> int | None:
    """The low bits that an `and` clears; None if it isn't with the negative of a power of two."""
    mask = value.operands[1]
    if not isinstance(mask, Constant) or mask.kind != "int":
        return None
    low = ~mask.integer & ((1 << value.type.bits) - 1)
    return low if low & (low + 1) == 0 and low < 1 << (value.type.bits - 1) else None


@final
class _Roots:
    """Pointers in place of integers. What is made is put after the integer that it stands for, at the end."""

    def __init__(self, function: Function, grades: _Grades) -> None:
        self._function: Final = function
        self._grades: Final = grades
        self._pointers: Final[dict[tuple[Value, Type], Value]] = {}
        self._offsets: Final[dict[Instruction, Value]] = {}
        self._unfilled: Final[list[tuple[Instruction, Instruction]]] = []
        self._new_phis: Final[list[Instruction]] = []
        self._after: Final[dict[Value, list[Instruction]]] = {}
        self._gone: Final[set[Instruction]] = set()
        self._new_arguments: Final[dict[Argument, None]] = {}

    def replace(self, access: Instruction) -> bool:
        """Make the pointer of an `inttoptr` from its root, if it has one."""
        value, type_ = access.operands[0], access.type
        if not isinstance(value, Argument | Instruction) or self._grades.of(value) == _NUMBER:  # 2
            return False
        if isinstance(value, Argument) and not self._becomes_pointer(value):
            return False
        if isinstance(value, Instruction) and value.op in ("load", "extractvalue"):
            return False
        if not self._has_roots(value, type_):
            return False
        pointer = self._pointer(value, type_)
        while self._unfilled:
            old, new = self._unfilled.pop()
            for source, block in old.incoming():
                new.append_operand(self._pointer(source, type_))
                new.append_operand(block)
        access.replace_all_uses(pointer)
        access.drop_operands()
        self._gone.add(access)
        return True

    def _becomes_pointer(self, argument: Argument) -> bool:
        return argument in self._new_arguments or (self._function.is_kernel and argument.type is ty.I64)

    def _has_roots(self, value: Value, type_: Type) -> bool:
        """True if every root of a value is an address of this memory."""
        seen: set[Value] = set()
        work = [value]
        while work:
            each = work.pop()
            if each in seen:
                continue
            seen.add(each)
            if isinstance(each, Instruction) and each.op in _SUMS:
                if self._grades.of(each) == _NUMBER:
                    return False
                work.append(self._grades.address_of(each))
            elif isinstance(each, Instruction) and each.op in ("phi", "select"):
                work += _sources(each)
            elif isinstance(each, Instruction) and each.op == "ptrtoint":
                if each.operands[0].type is not type_:  # 3
                    return False
            elif self._grades.of(each) == _NUMBER or type_ is not ty.PTR:  # 3
                return False
        return True

    def _pointer(self, value: Value, type_: Type) -> Value:
        """The pointer with the address `value`, known where that is."""
        known = self._pointers.get((value, type_))
        if known is not None:
            return known
        if isinstance(value, Instruction) and value.op in _SUMS:
            root, offset = self._split(value)
            made = Instruction("getelementptr", type_, (self._pointer(root, type_), offset), source_type=ty.I8)
            found: Value = self._put_after(value, made)
        else:
            found = self._root(value, type_)
        self._pointers[value, type_] = found
        return found

    def _split(self, value: Instruction) -> tuple[Value, Value]:
        """The root of a sum, and the sum of all else."""
        chain: list[Instruction] = []
        root: Value = value
        while isinstance(root, Instruction) and root.op in _SUMS:
            chain.append(root)
            root = self._grades.address_of(root)
        offset: Value | None = None
        for each in reversed(chain):
            offset = self._offsets[each] = self._offsets.get(each) or self._longer(each, offset)
        assert offset is not None
        return root, offset

    def _longer(self, value: Instruction, before: Value | None) -> Value:
        """The offset of a sum, from that of its address."""
        a, b = value.operands
        if value.op == "and":
            low = self._put_after(
                value, Instruction("and", value.type, (a, int_constant(value.type, _cleared(value) or 0)))
            )
            start = before if before is not None else int_constant(value.type, 0)
            return self._put_after(value, Instruction("sub", value.type, (start, low)))
        other = b if self._grades.address_of(value) is a else a
        if value.op == "add" and before is None:
            return other
        first = before if before is not None else int_constant(value.type, 0)
        return self._put_after(value, Instruction(value.op, value.type, (first, other)))

    def _root(self, value: Value, type_: Type) -> Value:
        if isinstance(value, Argument) and self._becomes_pointer(value):
            self._new_arguments[value] = None
            value.type = ty.PTR
            return value
        if not isinstance(value, Instruction):
            return self._put_after(value, Instruction("inttoptr", type_, (value,)))
        if value.op == "ptrtoint":
            return value.operands[0]
        if value.op == "phi":
            made = Instruction("phi", type_)
            made.block = value.block
            self._new_phis.append(made)
            self._unfilled.append((value, made))
            return made
        if value.op == "select":
            sources = [self._pointer(each, type_) for each in _sources(value)]
            return self._put_after(value, Instruction("select", type_, (value.operands[0], *sources)))
        return self._put_after(value, Instruction("inttoptr", type_, (value,)))

    def _put_after(self, value: Value, made: Instruction) -> Instruction:
        self._after.setdefault(value, []).append(made)
        return made

    def finish(self) -> None:
        """Put what was made into its blocks."""
        function = self._function
        numbers: list[Instruction] = []
        for argument in self._new_arguments:
            numbers += self._as_pointer(argument)
        for each in function.arguments:
            numbers += self._after.get(each, [])
        types = tuple(argument.type for argument in function.arguments)
        function.value_type = ty.function(function.result_type, types)
        phis: dict[Block | None, list[Instruction]] = {}
        for phi in self._new_phis:
            phis.setdefault(phi.block, []).append(phi)
        for block in function.blocks:
            self._arrange(block, [*phis.get(block, []), *(numbers if block is function.entry else ())])

    def _arrange(self, block: Block, first: list[Instruction]) -> None:
        arranged: list[Instruction] = [each for each in first if each.op == "phi"]
        waiting = [each for each in first if each.op != "phi"]
        for instruction in block.instructions:
            if waiting and instruction.op != "phi":
                arranged += waiting
                waiting = []
            if instruction not in self._gone:
                arranged.append(instruction)
            (waiting if instruction.op == "phi" else arranged).extend(self._after.get(instruction, ()))
        for instruction in arranged:
            instruction.block = block
        block.instructions[:] = arranged

    def _as_pointer(self, argument: Argument) -> list[Instruction]:
        """The instruction that makes an integer of a new pointer, if some still need that."""
        uses = [
            (user, place)
            for user in dict.fromkeys(argument.users)
            for place, operand in enumerate(user.operands)
            if operand is argument and not _takes_pointer(user, place)
        ]
        if not uses:
            return []
        number = Instruction("ptrtoint", ty.I64, (argument,))
        for user, place in uses:
            user.set_operand(place, number)
        return [number]


def _sources(value: Instruction) -> list[Value]:
    """The values that a phi or a selection may have."""
    return value.operands[::2] if value.op == "phi" else value.operands[1:]


def _is_only_called(pointer: Instruction) -> bool:
    return bool(pointer.users) and all(
        user.op == "call" and user.operands[0] is pointer and pointer not in user.operands[1:] for user in pointer.users
    )


def _takes_pointer(user: Instruction, place: int) -> bool:
    """True if an instruction's operand at a place is a pointer."""
    match user.op:
        case "getelementptr" | "load" | "atomicrmw" | "cmpxchg":
            return place == 0
        case "store":
            return place == 1
        case "call":
            assert user.call is not None
            return place == 0 or user.call.function_type.fields[place - 1].is_pointer
        case _:
            return (user.op in ("phi", "select", "addrspacecast") and user.type.is_pointer) or user.op == "ptrtoint"
