# SPDX-License-Identifier: Apache-2.0
"""load-shifted-vectors: loads a vector that is put together of elements of others where these are side by side.

Why
    A filter with vectors of OpenCL C shifts them by a pixel: 15 of the pixels that it has loaded, and the one before
    them. That takes two or three operations on vectors, a load at the shifted address one, which is an operand of the
    next operation on x86. An erosion (`bench/unseen_kinds`) shifts eight vectors for each that it stores two of.

Before
    define <4 x i32> @f(ptr %p) {
      %v = load <4 x i32>, ptr %p, align 4
      %q = getelementptr i8, ptr %p, i64 -4
      %s = load i32, ptr %q, align 4
      %i = insertelement <4 x i32> poison, i32 %s, i64 0
      %l = shufflevector <4 x i32> %i, <4 x i32> %v, <4 x i32> <i32 0, i32 4, i32 5, i32 6>
      %r = add <4 x i32> %v, %l
      ret <4 x i32> %r
    }

After
    define <4 x i32> @f(ptr %p) {
      %v = load <4 x i32>, ptr %p, align 4
      %q = getelementptr i8, ptr %p, i64 -4
      %s = load i32, ptr %q, align 4
      %1 = load <4 x i32>, ptr %q, align 4
      %i = insertelement <4 x i32> poison, i32 %s, i64 0
      %l = shufflevector <4 x i32> %i, <4 x i32> %v, <4 x i32> <i32 0, i32 4, i32 5, i32 6>
      %r = add <4 x i32> %v, %1
      ret <4 x i32> %r
    }

Needs
    1. Each element of the vector is one that has been loaded, neither volatile nor atomic, and it isn't all one load.
    2. Their addresses are at a known distance from each other: they are side by side, in order. Elements have 8, 16, 32
       or 64 bits, since others, such as those of 24, have another size alone than in a vector.
    3. The loads are on the only way to the vector, and nothing is written between them.

Method
    Each element is followed through insertions, extractions and shuffles by constants to its load. The new load comes
    after the last of these: what it loads has been loaded already, so it can't fault. What was done before has no users
    any more, and LLVM drops it.

When not
    On GPUs, which have no load at any address. Where lanes hold work-items, vectors are taken apart.

Neighbours
    `thread-repeated-tests` runs before, for all loops over work-items, too: pixels beyond the border are constants, and
    these come to be in code of their own. LLVM combines loads of single elements, in code generation and where all are
    in one place.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from lanewise.analysis.addresses import AffineAddress, affine_address
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import size_of
from lanewise.ir.module import Module
from lanewise.ir.reached_blocks import reached_blocks
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i64

_MOST_LANES: Final = 64
_SIZES: Final = (8, 16, 32, 64)
"""Bits of elements."""
_MOST_BLOCKS: Final = 8
"""Most blocks one after another in which loads are looked for."""
_MOVES: Final = frozenset({"insertelement", "shufflevector"})


class _Element(NamedTuple):
    """An element in memory: the load that has it, and the byte in this where it begins."""

    load: Instruction
    offset: int


def run(function: Function, module: Module) -> bool:
    """Load shifted vectors of a function; see above. Returns whether anything changed."""
    changed = False
    for block in _reached(function):
        for vector, first, last in _side_by_side(block, module.types):
            _load(vector, first, last)
            changed = True
    return changed


def applies(function: Function, module: Module) -> bool:
    """Return whether `run` would change anything."""
    return any(True for block in _reached(function) for _ in _side_by_side(block, module.types))


def _reached(function: Function) -> list[Block]:
    """The blocks that run: in others a value may be computed from itself."""
    reached = set(reached_blocks(function.blocks[:1]))
    return [block for block in function.blocks if block in reached]


def _side_by_side(
    block: Block, types: Mapping[str, Type | None]
) -> Iterator[tuple[Instruction, _Element, Instruction]]:
    """The vectors of a block whose elements are side by side in memory: each with the place of its first element, and
    the last of the loads of its elements."""
    addresses: dict[Instruction, AffineAddress] = {}
    for vector in [each for each in block.instructions if each.op in _MOVES and _is_used_whole(each)]:
        loaded = _elements(vector)
        if loaded is None or len({element.load for element in loaded}) == 1:  # 1
            continue
        for load in {element.load: None for element in loaded}:
            if load not in addresses:
                addresses[load] = affine_address(effects.pointer_operand(load), types, exact=True)
        size = size_of(vector.type.inner, types)
        if not _are_side_by_side([(addresses[each.load], each.offset) for each in loaded], size):
            continue
        last = _last_load({element.load for element in loaded}, vector)
        if last is not None:
            yield vector, loaded[0], last


def _are_side_by_side(places: list[tuple[AffineAddress, int]], size: int) -> bool:
    """True for bytes after addresses if each is that many from the one before."""
    first = places[0][0].offset + places[0][1]
    return all(
        address.start == places[0][0].start and address.offset + offset == first + number * size  # 2
        for number, (address, offset) in enumerate(places)
    )


def _is_used_whole(vector: Instruction) -> bool:
    """True for a vector of elements without padding that isn't only put into others."""
    type_ = vector.type
    if type_.count > _MOST_LANES or not (type_.inner.is_int or type_.inner.is_float):
        return False
    if type_.inner.bits not in _SIZES:  # 2
        return False
    return any(user.op not in _MOVES for user in vector.users)


def _elements(vector: Instruction) -> list[_Element] | None:
    """The places that the elements of a vector have been loaded from; None if any hasn't."""
    found: list[_Element] = []
    for lane in range(vector.type.count):
        element = _element(vector, lane)
        if element is None:
            return None
        found.append(element)
    return found


def _element(value: Value, lane: int) -> _Element | None:
    """The place that an element of a vector, or a scalar, has been loaded from; None if it hasn't been."""
    while isinstance(value, Instruction):
        match value.op:
            case "insertelement":
                vector, inserted, index = value.operands
                if not isinstance(index, Constant) or index.kind != "int":
                    return None
                value, lane = (inserted, 0) if index.integer == lane else (vector, lane)
            case "extractelement":
                vector, index = value.operands
                if not isinstance(index, Constant) or index.kind != "int":
                    return None
                value, lane = vector, index.integer
            case "shufflevector":
                a, b, mask = value.operands
                chosen = _chosen(mask, lane)
                if chosen is None:
                    return None
                value, lane = (a, chosen) if chosen < a.type.count else (b, chosen - a.type.count)
            case "load":
                if effects.is_ordered(value):  # 1
                    return None
                element = value.type.inner if value.type.is_vector else value.type
                return _Element(value, lane * (element.bits // 8))
            case _:
                return None
    return None


def _chosen(mask: Value, lane: int) -> int | None:
    """The element that a shuffle puts into a lane; None if it is poison."""
    if not isinstance(mask, Constant):
        return None
    if mask.kind == "zeroinitializer":
        return 0
    elements = mask.operands * mask.type.count if mask.kind == "splat" else mask.operands
    element = elements[lane] if elements else None
    return element.integer if isinstance(element, Constant) and element.kind == "int" else None


def _last_load(loads: set[Instruction], vector: Instruction) -> Instruction | None:
    """The last of these loads; None if something may be written between them, or they aren't all on the way."""
    left = len(loads)
    for block in _way_to(vector.parent):
        for instruction in block.instructions:
            if instruction in loads:
                left -= 1
                if not left:
                    return instruction
            elif left < len(loads) and effects.writes(instruction):  # 3
                return None
    return None  # 3


def _way_to(block: Block) -> list[Block]:
    """The blocks that always run right before a block, one after another, and the block."""
    way = [block]
    while len(way) < _MOST_BLOCKS and len(before := way[0].predecessors) == 1 and before[0] not in way:
        way.insert(0, before[0])
    return way


def _load(vector: Instruction, first: _Element, last: Instruction) -> None:
    """Replace a vector by a load at the address of its first element, after the last of the old loads."""
    block = last.parent
    place = block.instructions.index(last) + 1
    pointer, align = effects.pointer_operand(first.load), first.load.align
    if first.offset:
        address = Instruction("getelementptr", pointer.type, (pointer, i64(first.offset)), source_type=ty.I8)
        pointer = block.insert(place, address)
        place, align = place + 1, min(align, first.offset & -first.offset)
    origin = tuple(each for each in first.load.metadata if each[0] == "!dbg")
    load = Instruction("load", vector.type, (pointer,), source_type=vector.type, align=align, metadata=origin)
    vector.replace_all_uses(block.insert(place, load))
