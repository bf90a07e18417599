# SPDX-License-Identifier: Apache-2.0
"""The costs of a warp's access whose addresses have no known shape, from the addresses of all lanes.

Each cost becomes one function of the object, so that the code of the kernel stays short. Every lane is compared with
those before it, a vector at a time: keys lie in memory, and those of d lanes before are the same memory, d words back.

    keys      -1 ... -1 k0 k1 ... k31         k8..15 == k7..14, == k6..13 and so on

The key of a lane that isn't active is -1, which no address has. A key is 31 bits of the address without those that
don't matter: sectors that are 64 GiB apart would be taken for one.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import spelled
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32, int_constant, poison
from lanewise.workgroup.lanes.warps.warp import FLAGS, WARP_SIZE, WORDS
from lanewise.workgroup.lowering.floats.builder import External

_ADDRESSES: Final = ty.vector(WARP_SIZE, ty.I64)
_CHUNK: Final = 8
"""Lanes that are compared at a time."""
_COUNT: Final = ty.function(ty.I32, (_ADDRESSES, ty.I32))


def sectors_of(external: External) -> Function:
    """The function that counts the different sectors: (addresses of all lanes, bits of the active ones)."""
    function = external("lw.count.sectors", _COUNT)
    if function.is_declaration:
        code = _Code(function, external)
        keys = code.keys(5)
        memory = code.stored(keys, WARP_SIZE)
        before = code.build.load(WORDS, code.back(memory, 0, 1), align=4)
        in_order = code.bits(code.build.compare("uge", keys, before))
        in_order = code.build.binary("or", in_order, i32(1))
        ordered, other = Builder(function.add_block("ordered")), Builder(function.add_block("other"))
        simple = code.build.compare("eq", code.build.binary("and", in_order, function.arguments[1]), i32(-1))
        code.build.branch_if(simple, ordered.block, other.block)
        code.build = ordered
        code.build.ret(code.ones(code.bits(code.build.compare("ne", keys, before))))
        code.build = other
        code.build.ret(code.ones(code.first_of_each(keys, memory, function.arguments[1])))
    return function


def wavefronts_of(external: External, unit: int) -> Function:
    """The function that adds up, over groups of lanes that move 128 bytes, the most words that one bank is asked for.
    `unit`: 4, 8 or 16 bytes that a lane takes of a bank, or of two or four."""
    function = external(f"lw.count.wavefronts.{unit}", _COUNT)
    if function.is_declaration:
        code = _Code(function, external)
        keys = code.keys(unit.bit_length() - 1)
        size = 128 // unit
        total: Value = i32(0)
        for first in range(0, WARP_SIZE, size):
            words = code.lanes(keys, first, size)
            active = code.build.compare("ne", words, code.splat(-1, size))
            earlier = code.build.compare(
                "ne", code.earlier(words, code.stored(words, size), counts=False), code.splat(0, size)
            )
            own = code.build.select(earlier, _false(size), active)
            banks = code.build.select(
                own, code.build.binary("and", words, code.splat(size - 1, size)), code.splat(-1, size)
            )
            rank = code.build.binary(
                "add", code.earlier(banks, code.stored(banks, size), counts=True), code.splat(1, size)
            )
            most = code.most(code.build.select(own, rank, code.splat(0, size)))
            total = code.build.binary("add", total, most)
        code.build.ret(total)
    return function


def repeats_of(external: External, size: int) -> Function:
    """The function that finds the most lanes with the same address, but for the first of them."""
    function = external(f"lw.count.repeats.{size}", _COUNT)
    if function.is_declaration:
        code = _Code(function, external)
        keys = code.keys(size.bit_length() - 1)
        active = code.build.compare("ne", keys, code.splat(-1, WARP_SIZE))
        earlier = code.earlier(keys, code.stored(keys, WARP_SIZE), counts=True)
        code.build.ret(code.most(code.build.select(active, earlier, code.splat(0, WARP_SIZE))))
    return function


class _Code:
    """The code of one function."""

    def __init__(self, function: Function, external: External) -> None:
        function.linkage, function.suffix = "internal", "noinline nounwind"
        self._external: Final = external
        self._addresses, self._active = function.arguments
        self._entry: Final = Builder(function.add_block("entry"))
        self._memory: Final[dict[int, Value]] = {}
        self.build = self._entry

    def keys(self, shift: int) -> Value:
        """The keys of all lanes, which leave out so many low bits of their addresses."""
        shifted = self.build.binary("lshr", self._addresses, _splat(ty.I64, shift, WARP_SIZE))
        narrow = self.build.cast("trunc", shifted, WORDS)
        key = self.build.binary("and", narrow, self.splat((1 << 31) - 1, WARP_SIZE))
        return self.build.select(self.build.cast("bitcast", self._active, FLAGS), key, self.splat(-1, WARP_SIZE))

    def stored(self, keys: Value, size: int) -> Value:
        """Memory with the keys of `size` lanes, behind a chunk of -1."""
        memory = self._memory.get(size)
        if memory is None:
            type_ = ty.array(_CHUNK + size, ty.I32)
            memory = self._memory[size] = self._entry.alloca(type_, "keys", 64)
            self.build.store(self.splat(-1, _CHUNK), memory, 4)
        self.build.store(keys, self.back(memory, 0, 0), 4)
        return memory

    def back(self, memory: Value, lane: int, distance: int) -> Value:
        """The address of the key that is `distance` before that of a lane."""
        return self.build.offset(memory, 4 * (_CHUNK + lane - distance))

    def earlier(self, keys: Value, memory: Value, *, counts: bool) -> Value:
        """For each lane, how many earlier ones have its key, as words; or -1 if any has."""
        size = keys.type.count
        found: list[Value] = []
        for first in range(0, size, _CHUNK):
            own = self.lanes(keys, first, _CHUNK)
            total: Value = self.splat(0, _CHUNK)
            for distance in range(1, first + _CHUNK):
                other = self.build.load(own.type, self.back(memory, first, distance), align=4)
                same = self.build.cast("sext", self.build.compare("eq", own, other), own.type)
                total = self.build.binary("sub" if counts else "or", total, same)
            found.append(total)
        while len(found) > 1:
            found = [self._joined(a, b) for a, b in zip(found[::2], found[1::2], strict=True)]
        return found[0]

    def first_of_each(self, keys: Value, memory: Value, active: Value) -> Value:
        """The bits of the active lanes whose key no earlier one has."""
        earlier = self.earlier(keys, memory, counts=False)
        return self.build.binary("and", self.bits(self.build.compare("eq", earlier, self.splat(0, WARP_SIZE))), active)

    def lanes(self, vector: Value, first: int, size: int) -> Value:
        """Some lanes of a vector."""
        return (
            vector
            if size == vector.type.count
            else self._shuffled(vector, poison(vector.type), range(first, first + size))
        )

    def _joined(self, a: Value, b: Value) -> Value:
        return self._shuffled(a, b, range(2 * a.type.count))

    def _shuffled(self, a: Value, b: Value, places: range) -> Value:
        type_ = ty.vector(len(places), a.type.inner)
        mask = Constant(ty.vector(len(places), ty.I32), "aggregate", operands=tuple(i32(place) for place in places))
        return self.build.emit(Instruction("shufflevector", type_, (a, b, mask)))

    def splat(self, number: int, size: int) -> Constant:
        return _splat(ty.I32, number, size)

    def bits(self, flags: Value) -> Value:
        return self.build.cast("bitcast", flags, ty.I32)

    def ones(self, bits: Value) -> Value:
        """The number of bits."""
        return self.build.call_function(self._external("llvm.ctpop.i32", ty.function(ty.I32, (ty.I32,))), [bits])

    def most(self, vector: Value) -> Value:
        """The greatest element."""
        name = f"llvm.vector.reduce.umax.{spelled(vector.type)}"
        return self.build.call_function(self._external(name, ty.function(ty.I32, (vector.type,))), [vector])


def _splat(element: Type, number: int, size: int) -> Constant:
    return Constant(ty.vector(size, element), "splat", operands=(int_constant(element, number),))


def _false(size: int) -> Constant:
    return Constant(ty.vector(size, ty.I1), "zeroinitializer")
