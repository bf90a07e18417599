# SPDX-License-Identifier: Apache-2.0
"""The costs of a warp's access whose addresses have no known shape, from the addresses of all lanes.

Each cost becomes one function of the object, so that the code of the kernel stays short. Every lane is compared with
those before it, a vector at a time: keys lie in memory, and those of d lanes before are the same memory, d words back.

    keys      -1 ... -1 k0 k1 ... k31         k8..15 == k7..14, == k6..13 and so on

The key of a lane that isn't active is -1, which no address has. A key is 31 bits of the address without those that
don't matter: sectors that are 64 GiB apart would be taken for one.
"""

from __future__ import annotations

from collections.abc import Callable
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
        whole, other = Builder(function.add_block("whole")), Builder(function.add_block("other"))
        ordered = Builder(function.add_block("ordered"))
        code.build.branch_if(code.build.compare("eq", function.arguments[1], i32(-1)), whole.block, other.block)
        code.build = whole
        before = whole.load(WORDS, code.back(memory, 0, 1), align=4)
        in_order = whole.binary("or", code.bits(whole.compare("uge", keys, before)), i32(1))
        whole.branch_if(whole.compare("eq", in_order, i32(-1)), ordered.block, other.block)
        code.build = ordered
        code.build.ret(code.ones(code.bits(code.build.compare("ne", keys, before))))
        code.build = other
        memory = code.hidden(memory)
        code.build.ret(code.ones(code.build.binary("and", code.first_of_each(keys, memory), function.arguments[1])))
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
            own = code.build.binary(
                "and", code.flags(code.first_of_each(words, code.stored(words, size)), size), active
            )
            bank = code.build.binary("and", words, code.splat(size - 1, size))
            banks = code.build.select(own, bank, code.splat(-1, size))
            earlier = code.counts_of_earlier(banks, code.stored(banks, size))
            rank = code.build.binary("add", earlier, code.splat(1, size))
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
        earlier = code.counts_of_earlier(keys, code.stored(keys, WARP_SIZE))
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
        return self.hidden(memory)

    def hidden(self, memory: Value) -> Value:
        """The same memory, of which LLVM knows nothing. It would put vectors that are loaded together from words of
        those that are stored, and load vectors for a branch before it."""
        assembly = Constant(ty.PTR, "asm", 'asm sideeffect "", "=r,0,~{memory}"')
        return self.build.call(assembly, ty.function(ty.PTR, (ty.PTR,)), [memory])

    def back(self, memory: Value, lane: int, distance: int) -> Value:
        """The address of the key that is `distance` before that of a lane."""
        return self.build.offset(memory, 4 * (_CHUNK + lane - distance))

    def counts_of_earlier(self, keys: Value, memory: Value) -> Value:
        """For each lane, how many earlier ones have its key."""

        def added(total: Value, own: Value, other: Value) -> Value:
            same = self.build.compare("eq", own, other)
            return self.build.binary("sub", total, self.build.cast("sext", same, own.type))

        found = self._over_earlier(keys, memory, 0, added)
        while len(found) > 1:
            found = [self._joined(a, b) for a, b in zip(found[::2], found[1::2], strict=True)]
        return found[0]

    def first_of_each(self, keys: Value, memory: Value) -> Value:
        """The lanes whose key no earlier one has, as bits. (By minima of differences: flags, which LLVM would make
        bytes of in between, take more code.)"""
        build = self.build
        known: Value = i32(0)

        def nearer(least: Value, own: Value, other: Value) -> Value:
            name = f"llvm.umin.{spelled(own.type)}"
            function = self._external(name, ty.function(own.type, (own.type, own.type)))
            return build.call_function(function, [least, build.binary("xor", own, other)])

        for number, least in enumerate(self._over_earlier(keys, memory, -1, nearer)):
            flags = build.compare("ne", least, self.splat(0, _CHUNK))
            bits = build.cast("zext", build.cast("bitcast", flags, ty.I8), ty.I32)
            known = build.binary("or", known, build.binary("shl", bits, i32(_CHUNK * number)))
        return known

    def _over_earlier(
        self, keys: Value, memory: Value, start: int, step: Callable[[Value, Value, Value], Value]
    ) -> list[Value]:
        """`start`, and `step` of it, the keys and those of each distance before, chunk by chunk."""
        found: list[Value] = []
        for first in range(0, keys.type.count, _CHUNK):
            own = self.lanes(keys, first, _CHUNK)
            total: Value = self.splat(start, _CHUNK)
            for distance in range(1, first + _CHUNK):
                other = self.build.load(own.type, self.back(memory, first, distance), align=4)
                total = step(total, own, other)
            found.append(total)
        return found

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

    def flags(self, bits: Value, size: int) -> Value:
        """The first bits as flags."""
        narrow = bits if size == WARP_SIZE else self.build.cast("trunc", bits, ty.integer(size))
        return self.build.cast("bitcast", narrow, ty.vector(size, ty.I1))

    def ones(self, bits: Value) -> Value:
        """The number of bits."""
        return self.build.call_function(self._external("llvm.ctpop.i32", ty.function(ty.I32, (ty.I32,))), [bits])

    def most(self, vector: Value) -> Value:
        """The greatest element."""
        name = f"llvm.vector.reduce.umax.{spelled(vector.type)}"
        return self.build.call_function(self._external(name, ty.function(ty.I32, (vector.type,))), [vector])


def _splat(element: Type, number: int, size: int) -> Constant:
    return Constant(ty.vector(size, element), "splat", operands=(int_constant(element, number),))
