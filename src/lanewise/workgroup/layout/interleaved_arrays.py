# SPDX-License-Identifier: Apache-2.0
"""Interleaves the private arrays of neighbouring work-items, element by element: structures of arrays.

Before
    define ptx_kernel void @k(ptr %p, i64 %i, i64 %j) {
      %v = alloca [32 x float], align 4
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %f = sitofp i32 %t to float
      %a = getelementptr inbounds float, ptr %v, i64 %i
      store float %f, ptr %a, align 4
      %b = getelementptr inbounds float, ptr %v, i64 %j
      %x = load float, ptr %b, align 4
      %c = getelementptr inbounds float, ptr %p, i32 %t
      store float %x, ptr %c, align 4
      ret void
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

After, in tiles of 64 work-items, for 8 lanes from %x on
      %5 = getelementptr [4 x i8], ptr %arena, i64 %4
    ...
      %10 = getelementptr [256 x i8], ptr %5, i64 %i
      store <8 x float> %9, ptr %10, align 4
      %11 = getelementptr [256 x i8], ptr %5, i64 %j
      %x.1 = load <8 x float>, ptr %11, align 4

Why: if lanes access element i for the same i, their elements are then side by side, and a gather becomes the load of
a vector.

Method. With arrays of N bytes in elements of E, and T work-items to a tile, byte o of the array of work-item t of tile
k, where E divides o, is at

    place + k * T * N + o * T + t * E

So every distance within an array is T times what it was: the steps of all address computations are multiplied, and only
the address of an alloca depends on the work-item (`Storage.private_address`). Accesses to vectors, and copies, become
accesses to single elements.

A tile is the whole group or, if its rows fit, a part of it, whose arrays are then close to each other. Across a large
group, elements of one array would be far apart, on lines that compete for few sets of the cache.

Needs: 1. the local size is known; 2. the variable is apart (`analysis/private_arrays.py`).
"""

from collections.abc import Callable
from math import prod
from typing import Final, NamedTuple, final

from lanewise.analysis.private_arrays import PrivateArrays, Transfer, argument_align, private_arrays
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction, Metadata
from lanewise.ir.layout import NamedTypes, field_offsets, resolve, size_of
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, Value, i32, i64, int_constant, poison
from lanewise.workgroup.layout.local_size import Extent

TILE: Final = 64
"""Work-items of a tile: a unit of four vectors of 16 lanes."""
MAX_STRAIGHT: Final = 16
"""Elements that are set or copied without a loop."""
_LONGEST_ROW: Final = 32
"""Lanes of the longest row. If it divides the rows of the group, the rows of lanes start at multiples of their length.
"""
_INSIDE: Final = ("nusw", "nuw")


class Interleaving(NamedTuple):
    """The layout of a private variable."""

    element: int
    """Bytes."""
    tile: int
    """Work-items."""
    is_group: bool
    """The tile is the whole group."""

    def address(self, build: Builder, place: Value, size: int, linear: Value, name: str | None) -> Value:
        """The address of a work-item's own variable, of `size` bytes; `place` is that of the first work-item."""
        element = ty.array(self.element, ty.I8)
        if self.is_group:
            return build.address(element, place, [linear], name)
        tile = build.binary("lshr", linear, i64(self.tile.bit_length() - 1))
        within = build.binary("and", linear, i64(self.tile - 1))
        return build.address(element, build.address(ty.array(size * self.tile, ty.I8), place, [tile]), [within], name)


def interleave_private_arrays(
    module: Module, kernel: Function, block: Extent | None
) -> dict[Instruction, Interleaving]:
    """Rewrite the accesses of a kernel to private variables that can be interleaved. Returns the layouts of these
    variables."""
    if block is None or prod(block) == 1:  # 1
        return {}
    arrays = private_arrays(kernel, module.types)  # 2
    tile = tile_of(block)
    if arrays.elements:
        _Rewriter(module.types, tile, arrays).run(kernel)
    return {variable: Interleaving(element, tile, tile == prod(block)) for variable, element in arrays.elements.items()}


def tile_of(block: Extent) -> int:
    """Work-items of a tile, such that no row of lanes is in two tiles: rows have a power of two of lanes, and start at
    multiples of their length if the rows of the group do."""
    width, items = block[0], prod(block)
    fits = width % _LONGEST_ROW == 0 or width & (width - 1) == 0
    return TILE if fits and items % TILE == 0 else items


@final
class _Rewriter:
    """The rewriting of each block's code."""

    def __init__(self, types: NamedTypes, tile: int, arrays: PrivateArrays) -> None:
        self._types: Final = types
        self._tile: Final = tile
        self._steps: Final = frozenset(arrays.steps)
        self._accesses: Final = frozenset(arrays.accesses)
        self._transfers: Final = {transfer.call: transfer for transfer in arrays.transfers}

    def run(self, kernel: Function) -> None:
        blocks, kernel.blocks = kernel.blocks, []
        for block in blocks:
            kernel.blocks.append(block)
            phis = [user for user in block.users if user.op == "phi"]
            instructions, block.instructions = block.instructions, []
            build = Builder(block)
            for instruction in instructions:
                if instruction in self._steps:
                    _replace(instruction, self._step(instruction, build))
                elif instruction in self._transfers:
                    self._transfer(self._transfers[instruction], build)
                    _replace(instruction, None)
                elif instruction in self._accesses:
                    self._access(instruction, build)
                else:
                    build.emit(instruction)
            for phi in phis if build.block is not block else ():
                phi.replace_operand(block, build.block)

    # -- addresses ---------------------------------------------------------------------------------------------

    def _step(self, step: Instruction, build: Builder) -> Value:
        """The address that a step computes now. In bounds, no sum wraps; but the end of an array may now be beyond the
        bounds of all memory."""
        flags = tuple(f for f in _INSIDE if f in ("nusw", *step.flags)) if "inbounds" in step.flags else ()
        address = step.operands[0]
        for index, size in self._terms(step):
            address = self._behind(address, index, size, build, flags)
        return address

    def _behind(
        self, address: Value, index: Value, size: int, build: Builder, flags: tuple[str, ...] = _INSIDE
    ) -> Value:
        """The address that was `index * size` bytes after another one of the array."""
        if _is_zero(index):
            return address
        far = ty.array(size * self._tile, ty.I8)
        return build.emit(Instruction("getelementptr", address.type, (address, index), flags=flags, source_type=far))

    def _terms(self, step: Instruction) -> list[tuple[Value, int]]:
        """The bytes that an address computation adds, as products."""
        terms: list[tuple[Value, int]] = []
        type_ = step.source_type
        assert type_ is not None
        for position, index in enumerate(step.operands[1:]):
            if position:
                type_ = resolve(type_, self._types)
                if type_.kind == "struct":
                    assert isinstance(index, Constant)
                    offset = field_offsets(type_, self._types)[0][index.integer]
                    terms.append((i64(offset), 1))
                    type_ = type_.fields[index.integer]
                    continue
                type_ = type_.inner
            terms.append((index, size_of(type_, self._types)))
        return terms

    # -- accesses ----------------------------------------------------------------------------------------------

    def _access(self, access: Instruction, build: Builder) -> None:
        type_ = effects.accessed_type(access)
        size = size_of(type_.scalar, self._types)
        if not type_.is_vector:
            access.align = size
            build.emit(access)
        elif access.op == "load":
            _replace(access, self._load_vector(access, size, build))
        else:
            self._store_vector(access, size, build)
            _replace(access, None)

    def _load_vector(self, load: Instruction, size: int, build: Builder) -> Value:
        whole: Value = poison(load.type)
        for number in range(load.type.count):
            place = self._behind(load.operands[0], i64(number), size, build)
            part = build.load(load.type.inner, place, align=size, metadata=_kept(load))
            part.flags = load.flags
            whole = build.emit(Instruction("insertelement", load.type, (whole, part, i32(number))))
        return whole

    def _store_vector(self, store: Instruction, size: int, build: Builder) -> None:
        whole, pointer = store.operands
        for number in range(whole.type.count):
            place = self._behind(pointer, i64(number), size, build)
            part = build.emit(Instruction("extractelement", whole.type.inner, (whole, i32(number))))
            build.store(part, place, size, _kept(store)).flags = store.flags

    # -- transfers ---------------------------------------------------------------------------------------------

    def _transfer(self, transfer: Transfer, build: Builder) -> None:
        """Copy element by element."""
        call, element = transfer.call, transfer.element
        _, source, length = call.arguments[:3]
        assert isinstance(length, Constant)
        type_ = ty.integer(8 * element)

        def address(side: int, index: Value, build: Builder) -> tuple[Value, int]:
            """The address of an element, with its alignment."""
            pointer = call.arguments[side]
            if transfer.private[side]:
                return self._behind(pointer, index, element, build), element
            place = build.emit(Instruction("getelementptr", pointer.type, (pointer, index), source_type=type_))
            return place, min(argument_align(call, side), element)

        def one(index: Value, build: Builder) -> None:
            if source.type.is_pointer:
                place, align = address(1, index, build)
                value: Value = build.load(type_, place, align=align)
            else:
                assert isinstance(source, Constant)
                value = int_constant(type_, int.from_bytes(bytes([source.integer & 0xFF] * element)))
            place, align = address(0, index, build)
            build.store(value, place, align)

        count = length.integer // element
        if count <= MAX_STRAIGHT:
            for number in range(count):
                one(i64(number), build)
        else:
            _count(build, count, one)


def _count(build: Builder, count: int, body: Callable[[Value, Builder], None]) -> None:
    """Emit a loop of constant length. `build` goes on after it."""
    before, function = build.block, build.block.parent
    loop, done = function.add_block(f"{before.name}.each"), function.add_block(f"{before.name}.done")
    build.branch(loop)
    build.block = loop
    index = build.phi(ty.I64, [(i64(0), before)], "element")
    body(index, build)
    following = build.binary("add", index, i64(1), flags=("nuw", "nsw"))
    index.append_operand(following)
    index.append_operand(loop)
    build.branch_if(build.compare("ult", following, i64(count)), loop, done)
    build.block = done


def _replace(old: Instruction, new: Value | None) -> None:
    """Put `new` in place of an instruction that has left its block."""
    if new is not None:
        if isinstance(new, Instruction) and new.name is None:
            new.name = old.name
        old.replace_all_uses(new)
    old.drop_operands()
    old.block = None


def _kept(access: Instruction) -> Metadata:
    """The metadata of an access that also holds of its parts."""
    return tuple(m for m in access.metadata if m[0] == "!tbaa")


def _is_zero(value: Value) -> bool:
    return isinstance(value, Constant) and value.kind in ("int", "zeroinitializer") and value.integer == 0
