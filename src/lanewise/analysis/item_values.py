# SPDX-License-Identifier: Apache-2.0
"""Integers as sums: a number that each work-item computes from its ids alone, and multiples of unknown values.

For a block of (64, 1, 1) and an argument `n`,

    tid.x & 31                  each: 0, 1, ..., 31, 0, ..., 31
    tid.x + 4 * n               each: 0, 1, ..., 63       terms: 4 times n
    for (i = tid.x; ...; i += 64)
                                each: 0, 1, ..., 63       terms: 64 times the iterations of the loop

Numbers wrap at 32 bits or more. So they only serve to compare addresses within an object that is smaller than that.
"""

from collections.abc import Callable, Mapping
from functools import cache
from operator import add
from typing import Final, NamedTuple, TypeGuard, final

from lanewise.analysis.origins import DERIVED
from lanewise.analysis.shapes import strides
from lanewise.ir.dominators import DominatorTree
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import field_offsets, resolve
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, Value

WARP: Final = 32
MAX_DEPTH: Final = 64
"""Limit on the depth of the expressions that are followed."""

_SREG: Final = "llvm.nvvm.read.ptx.sreg."
_LEAST_BITS: Final = 32
"""Narrower sums wrap where it matters."""

Each = tuple[int, ...]
"""A number for each work-item, in linear order."""
Terms = Mapping[Value, int]
"""Unknown value -> its factor."""

_COMPARISONS: Final[dict[str, Callable[[int, int], bool]]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
_BITWISE: Final[dict[str, Callable[[int, int], int]]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}
_UNSIGNED: Final[dict[str, Callable[[int, int], int]]] = {
    "lshr": lambda a, b: a >> b,
    "ashr": lambda a, b: a >> b,
    "udiv": lambda a, b: a // b,
    "sdiv": lambda a, b: a // b,
    "urem": lambda a, b: a % b,
    "srem": lambda a, b: a % b,
}
"""Operations, computed for operands that are not negative."""


class Sum(NamedTuple):
    each: Each
    terms: Terms

    def scaled(self, factor: int) -> "Sum":
        if factor == 1:
            return self
        each = tuple([factor * v for v in self.each]) if any(self.each) else self.each
        return Sum(each, {t: factor * f for t, f in self.terms.items() if factor})

    def plus(self, other: "Sum") -> "Sum":
        terms = dict(self.terms)
        for term, factor in other.terms.items():
            terms[term] = terms.get(term, 0) + factor
        return Sum(_added(self.each, other.each), {t: f for t, f in terms.items() if f})

    @property
    def is_known(self) -> bool:
        return not self.terms

    @property
    def constant(self) -> int | None:
        """The value, if it is known and all work-items have the same."""
        return self.each[0] if self.is_known and len(set(self.each)) == 1 else None


@final
class ItemValues:
    """The sums of one kernel's values, for a local size. `tree`: the kernel's dominators."""

    def __init__(self, block: tuple[int, int, int], types: Mapping[str, Type | None], tree: DominatorTree) -> None:
        self._block: Final = block
        self._types: Final = types
        self._tree: Final = tree
        self._known: Final[dict[Value, Sum]] = {}
        width, height, depth = block
        self._ids: Final = {
            "x": tuple(x for _ in range(depth * height) for x in range(width)),
            "y": tuple(y for _ in range(depth) for y in range(height) for _ in range(width)),
            "z": tuple(z for z in range(depth) for _ in range(height * width)),
        }
        self.count: Final = width * height * depth

    def address(self, pointer: Value) -> Sum:
        """The address in a pointer, in bytes. The pointer that it is computed from is a term."""
        total = self._same(0)
        while _is_derived(pointer):
            total = total.plus(self._offset(pointer))
            pointer = pointer.operands[0]
        return total.plus(Sum(_zeros(self.count), {pointer: 1}))

    def _offset(self, address: Instruction | Constant) -> Sum:
        total = self._same(0)
        current = address.source_type
        if current is None:
            return total
        for place, (index, size) in enumerate(strides(address, self._types)):
            if place:
                current = resolve(current, self._types)
                if current.kind == "struct":
                    assert isinstance(index, Constant)
                    total = total.plus(self._same(field_offsets(current, self._types)[0][index.integer]))
                    current = current.fields[index.integer]
                    continue
                current = current.inner
            total = total.plus(self.of(index).scaled(size))
        return total

    def of(self, value: Value, depth: int = MAX_DEPTH) -> Sum:
        """The sum that an integer is."""
        known = self._known.get(value)
        if known is None:
            unknown = Sum(_zeros(self.count), {value: 1})
            if isinstance(value, Constant):
                return self._same(value.integer) if value.kind == "int" else unknown
            if isinstance(value, Argument) or not isinstance(value, Instruction) or not depth:
                return unknown
            self._known[value] = unknown  # a value that a loop computes from itself
            known = self._known[value] = self._computed(value, depth - 1) or unknown
        return known

    def condition(self, value: Value) -> tuple[bool, ...] | None:
        """True for each work-item for which a condition holds; None if that isn't known."""
        found = self.of(value)
        return tuple(v % 2 == 1 for v in found.each) if found.is_known else None

    def _same(self, number: int) -> Sum:
        return Sum((number,) * self.count if number else _zeros(self.count), {})

    def _computed(self, value: Instruction, depth: int) -> Sum | None:
        if value.type.is_vector or value.type.kind != "int":
            return None
        if value.op == "call":
            return self._query(value.callee.removeprefix(_SREG)) if value.callee.startswith(_SREG) else None
        if value.op == "phi":
            return self._counter(value, depth)
        if value.op in ("zext", "sext", "trunc", "freeze"):
            operand = self.of(value.operands[0], depth)
            narrow = min(value.type.bits, value.operands[0].type.bits) < _LEAST_BITS
            return operand if not narrow or (operand.is_known and self._fits(operand, value)) else None
        if value.op in ("add", "sub", "mul", "shl", *_BITWISE, *_UNSIGNED, "icmp"):
            return self._arithmetic(value, *(self.of(o, depth) for o in value.operands))
        return None

    def _query(self, name: str) -> Sum | None:
        register, _, axis = name.partition(".")
        if register == "tid":
            return Sum(self._ids[axis], {})
        if register == "ntid":
            return self._same(self._block["xyz".index(axis)])
        if register in ("laneid", "warpid"):
            places = (divmod(item, WARP) for item in range(self.count))
            return Sum(tuple(lane if register == "laneid" else warp for warp, lane in places), {})
        return self._same(WARP) if register == "warpsize" else None

    def _counter(self, phi: Instruction, depth: int) -> Sum | None:
        """The counter of a loop with a constant step: its start, and any multiple of the step."""
        starts: list[Value] = []
        steps: list[Value] = []
        for value, before in phi.incoming():
            (steps if self._tree.dominates(phi.parent, before) else starts).append(value)
        if len(set(starts)) != 1 or len(set(steps)) != 1:
            return None
        step = steps[0]
        if not isinstance(step, Instruction) or step.op != "add" or phi not in step.operands:
            return None
        by = self.of(step.operands[1] if step.operands[0] is phi else step.operands[0], depth).constant
        if not by:
            return None
        return self.of(starts[0], depth).plus(Sum(_zeros(self.count), {phi: by}))

    def _arithmetic(self, value: Instruction, a: Sum, b: Sum) -> Sum | None:
        bits = value.operands[0].type.bits
        if value.op == "icmp":
            return self._compared(value.predicate, a, b, bits) if a.is_known and b.is_known else None
        if bits < _LEAST_BITS and not (a.is_known and b.is_known):
            return None
        found: Sum | None = None
        by = b.constant
        if value.op == "add" or (value.op == "or" and "disjoint" in value.flags):
            found = a.plus(b)
        elif value.op == "sub":
            found = a.plus(b.scaled(-1))
        elif value.op == "mul":
            factor = a.constant
            if by is not None or factor is not None:
                found = a.scaled(by) if by is not None else b.scaled(factor or 0)
            elif a.is_known and b.is_known:
                found = Sum(tuple(x * y for x, y in zip(a.each, b.each, strict=True)), {})
        elif value.op == "shl":
            found = a.scaled(1 << by) if by is not None and 0 <= by < bits else None
        elif a.is_known and b.is_known:
            found = self._combined(value.op, a, b, bits)
        elif value.op == "and" and by is not None and by >= 0 and not by & (by + 1) and len(set(a.each)) > 1:
            found = a.plus(Sum(_zeros(self.count), {value: by + 1}))  # less a multiple of by + 1
        return found if found is None or bits >= _LEAST_BITS or self._fits(found, value) else None

    def _combined(self, op: str, a: Sum, b: Sum, bits: int) -> Sum | None:
        if op in _BITWISE:
            mask = (1 << bits) - 1
            return Sum(tuple(_BITWISE[op](x & mask, y & mask) for x, y in zip(a.each, b.each, strict=True)), {})
        if not (_is_plain(a) and _is_plain(b)) or (op[1:] in ("div", "rem") and not all(b.each)):
            return None
        if op[1:] == "shr" and max(b.each) >= bits:
            return None
        return Sum(tuple(map(_UNSIGNED[op], a.each, b.each)), {})

    def _compared(self, predicate: str, a: Sum, b: Sum, bits: int) -> Sum | None:
        if bits > _LEAST_BITS and not (_is_plain(a) and _is_plain(b)):
            return None

        def read(number: int) -> int:
            number %= 1 << bits
            return number - (1 << bits) if predicate[0] == "s" and number >> (bits - 1) else number

        compare = _COMPARISONS[predicate[-2:]]
        return Sum(tuple(int(compare(read(x), read(y))) for x, y in zip(a.each, b.each, strict=True)), {})

    def _fits(self, numbers: Sum, value: Instruction) -> bool:
        """True for numbers that fit the type of `value`, whether they are read as signed or as unsigned."""
        bits = min([value.type.bits, *(o.type.bits for o in value.operands if o.type.kind == "int")])
        top = 1 if value.type.bits == 1 or bits == 1 else (1 << (bits - 1)) - 1
        return all(0 <= v <= top for v in numbers.each)


@cache
def _zeros(count: int) -> Each:
    """The one tuple of so many zeros, to which nothing need be added."""
    return (0,) * count


def _added(a: Each, b: Each) -> Each:
    zeros = _zeros(len(a))
    if a is zeros:
        return b
    return a if b is zeros else tuple(map(add, a, b))


def _is_derived(value: Value) -> TypeGuard[Instruction | Constant]:
    """True for an address that is computed from another one."""
    if isinstance(value, Constant):
        return value.kind == "expr" and value.opcode in DERIVED
    return isinstance(value, Instruction) and value.op in DERIVED


def _is_plain(numbers: Sum) -> bool:
    """True if the numbers are the same in 31 bits as in more, and as signed ones."""
    return all(0 <= v < 1 << (_LEAST_BITS - 1) for v in numbers.each)
