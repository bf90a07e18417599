# SPDX-License-Identifier: Apache-2.0
"""copy-in-words: copies and fills structs by the widest accesses that their alignment allows.

Why
    `out[i] = in[i]` of `float4` is a memcpy to clang. LLVM's back end for PTX makes accesses of 8 bytes of one that
    has at most 64 bytes, though a GPU has accesses of 16 or 32, and of a longer one a loop over single bytes: 256 bytes
    take 256 loads and stores, in place of 16 of each.

Before
    define void @f(ptr %out, ptr %in) {
      call void @llvm.memcpy.p0.p0.i64(ptr align 16 %out, ptr align 16 %in, i64 20, i1 false)
      ret void
    }
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

After
    define void @f(ptr %out, ptr %in) {
      %1 = load <4 x i32>, ptr %in, align 16
      %2 = getelementptr inbounds i8, ptr %in, i64 16
      %3 = load i32, ptr %2, align 16
      store <4 x i32> %1, ptr %out, align 16
      %4 = getelementptr inbounds i8, ptr %out, i64 16
      store i32 %3, ptr %4, align 16
      ret void
    }
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

Needs
    1. A memcpy, memmove or memset of a constant number of bytes, which isn't volatile.
    2. A memset fills with a constant byte.
    3. Both ends are at multiples of 4.
    4. A memmove is of few enough pieces that all are loaded before any is stored, since its ends may overlap. Those of
       a memcpy are apart, or the same.

Method
    Four loads, then four stores, and so on, which takes 16 registers, 32 where accesses are of 32 bytes. An access may
    be wider than the other end permits: LLVM takes it apart there. More than 16 pieces are copied in a loop, four in a
    turn, and `ptxas` unrolls that as it likes. A variable of the function gets an alignment of 16.

When not
    Copies for which LLVM has accesses as wide, and those of bytes and halves: taking words apart costs as much as it
    saves.

Neighbours
    Runs after LLVM's optimisation, which brings structs into registers as long as they are copied whole, and before the
    steps for addresses, which share them. LLVM's load-store-vectorizer sees no accesses in a memcpy.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeGuard

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i64, int_constant

_COPIES: Final = ("llvm.memcpy.p", "llvm.memmove.p")
_FILL: Final = "llvm.memset.p"
_LLVMS_BYTES: Final = 64
"""Bytes of a copy, at most, that LLVM makes single accesses of; of a longer one it makes a loop over bytes."""
_LLVMS_WORD: Final = 8
"""Bytes of such an access, at most."""
_TOGETHER: Final = 4
"""Pieces that are loaded before the first of them is stored."""
_MOST_PIECES: Final = 16
"""Pieces, at most, that aren't copied in a loop. nvcc 13 copies as many in a row."""
_WORD: Final = 4
_ALIGNED: Final = 16
"""The alignment that a variable of the function gets."""


class CopyOptions(NamedTuple):
    """Properties of the target."""

    widest: int = 16
    """Bytes of the widest access."""


class _End(NamedTuple):
    """The target or the source of a copy, and a power of two that its address is a multiple of."""

    pointer: Value
    align: int

    def align_at(self, offset: int) -> int:
        return min(self.align, offset & -offset) if offset else self.align


class _Copy(NamedTuple):
    call: Instruction
    length: int
    word: int
    """Bytes of the widest access."""
    target: _End
    source: _End | None
    """The address that is copied from. None: the target is filled with `byte`."""
    byte: int


class _Piece(NamedTuple):
    offset: int
    size: int

    @property
    def type(self) -> Type:
        return ty.integer(8 * self.size) if self.size <= _WORD else ty.vector(self.size // _WORD, ty.I32)


def run(function: Function, options: CopyOptions) -> bool:
    """Rewrite the copies of a function; see above. Returns whether there are any."""
    found = [copy for each in function.instructions() if (copy := _copy(each, options)) is not None]
    for copy in found:
        _rewrite(copy)
    return bool(found)


def _copy(call: Instruction, options: CopyOptions) -> _Copy | None:
    """The copy that a call is, if it is better made here than by LLVM."""
    is_fill = call.callee.startswith(_FILL)
    if not is_fill and not call.callee.startswith(_COPIES):  # 1
        return None
    target, source, *numbers = call.arguments
    length, volatile = map(_integer, numbers)
    if not length or volatile is None or volatile:  # 1
        return None
    byte = _integer(source) if is_fill else 0
    if byte is None:  # 2
        return None
    ends = [_end(call, number, length) for number in range(1 if is_fill else 2)]
    if min(end.align for end in ends) < _WORD:  # 3
        return None
    word = min(options.widest, max(end.align for end in ends))
    if length <= _LLVMS_BYTES and min(word, length) <= _LLVMS_WORD:
        return None
    if call.callee.startswith("llvm.memmove") and len(list(_pieces(0, length, word))) > _TOGETHER:  # 4
        return None
    for pointer in (target, source):
        if _is_variable(pointer):
            pointer.align = max(pointer.align, _ALIGNED)
    return _Copy(call, length, word, ends[0], None if is_fill else ends[1], byte % 256)


def _integer(value: Value) -> int | None:
    return value.integer if isinstance(value, Constant) and value.kind == "int" else None


def _is_variable(pointer: Value) -> TypeGuard[Instruction]:
    return isinstance(pointer, Instruction) and pointer.op == "alloca"


def _end(call: Instruction, number: int, length: int) -> _End:
    pointer = call.arguments[number]
    assert call.call is not None
    words = call.call.arguments[number] if number < len(call.call.arguments) else ()
    stated = [int(word.removeprefix("align ")) for word in words if word.startswith("align ")]
    if _is_variable(pointer):
        stated += [pointer.align, _ALIGNED if length >= _ALIGNED else 1]
    return _End(pointer, max(stated, default=1))


def _pieces(start: int, end: int, word: int) -> Iterator[_Piece]:
    """Pieces of at most `word` bytes, of which each begins at a multiple of its size from a multiple of `word`."""
    while start < end:
        while word > end - start:
            word //= 2
        yield _Piece(start, word)
        start += word


# -- rewriting -----------------------------------------------------------------------------------------------------


def _rewrite(copy: _Copy) -> None:
    """Put accesses in place of a call."""
    block = copy.call.parent
    place = block.instructions.index(copy.call)
    line = tuple(each for each in copy.call.metadata if each[0] == "!dbg")
    copy.call.erase()
    after = block.instructions[place:]
    del block.instructions[place:]
    build = Builder(block)
    pieces = list(_pieces(0, copy.length, copy.word))
    if len(pieces) > _MOST_PIECES:
        pieces = _loop(copy, build)
    _move(copy, pieces, build)
    blocks = block.parent.blocks
    others = blocks[blocks.index(block) + 1 : blocks.index(build.block) + 1]
    for each in (*block.instructions[place:], *(each for other in others for each in other.instructions)):
        each.metadata = line
    for each in after:
        build.block.append(each)
    for successor in set(build.block.successors) if others else ():
        for phi in successor.phis:
            phi.replace_operand(block, build.block)


def _loop(copy: _Copy, build: Builder) -> list[_Piece]:
    """Copy `_TOGETHER` pieces in each turn of a loop; returns those that are left."""
    stride = copy.word * _TOGETHER
    before, function = build.block, build.block.parent
    loop, rest = Block(None, function), Block(None, function)
    after = function.blocks.index(before) + 1
    function.blocks[after:after] = [loop, rest]
    end = copy.length // stride * stride
    build.branch(loop)
    build.block = loop
    offset = build.phi(ty.I64, [(i64(0), before)])

    def moved(copied: _End) -> _End:
        return _End(build.address(ty.I8, copied.pointer, [offset]), min(copied.align, stride))

    source = None if copy.source is None else moved(copy.source)
    turn = copy._replace(target=moved(copy.target), source=source)
    _move(turn, list(_pieces(0, stride, copy.word)), build)
    following = build.binary("add", offset, i64(stride), flags=("nuw", "nsw"))
    offset.append_operand(following)
    offset.append_operand(loop)
    build.branch_if(build.compare("ult", following, i64(end)), loop, rest)
    build.block = rest
    return list(_pieces(end, copy.length, copy.word))


def _move(copy: _Copy, pieces: Sequence[_Piece], build: Builder) -> None:
    """Load some pieces, and store them, and so on."""
    for first in range(0, len(pieces), _TOGETHER):
        some = pieces[first : first + _TOGETHER]
        values = [_value(copy, piece, build) for piece in some]
        for piece, value in zip(some, values, strict=True):
            target = build.offset(copy.target.pointer, piece.offset)
            build.store(value, target, copy.target.align_at(piece.offset))


def _value(copy: _Copy, piece: _Piece, build: Builder) -> Value:
    """The bytes of a piece."""
    if copy.source is not None:
        source = build.offset(copy.source.pointer, piece.offset)
        return build.load(piece.type, source, align=copy.source.align_at(piece.offset))
    element = piece.type.scalar
    number = int_constant(element, int.from_bytes(bytes([copy.byte]) * (element.bits // 8)))
    return Constant(piece.type, "splat", operands=(number,)) if piece.type.is_vector else number
