# SPDX-License-Identifier: Apache-2.0
"""bypass-64-bit-division: divides in 32 bits where operands turn out to be small.

Why
    GPUs have no division of integers. ptxas makes some 20 instructions of one in 32 bits, and a call of one in 64. Most
    64-bit divisions are of indices that happen to fit 32 bits. LLVM and nvcc test each division on its own. This pass
    tests once for all that depend on each other: a kernel that divides a linear index into coordinates executes 20 %
    fewer instructions this way, and another one 10 %.

Before
    define i64 @f(i64 %at, i64 %depth, i64 %columns) {
      %rest = sdiv i64 %at, %depth
      %row = srem i64 %rest, %columns
      ret i64 %row
    }

After
    define i64 @f(i64 %at, i64 %depth, i64 %columns) {
      %1 = or i64 %at, %depth
      %2 = or i64 %1, %columns
      %3 = freeze i64 %2
      %4 = and i64 %3, -4294967296
      %5 = icmp eq i64 %4, 0
      br i1 %5, label %6, label %13
    6:
      %7 = trunc i64 %at to i32
      %8 = trunc i64 %depth to i32
      %9 = udiv i32 %7, %8
      %10 = trunc i64 %columns to i32
      %11 = urem i32 %9, %10
      %12 = zext i32 %11 to i64
      br label %16
    13:
      %14 = call i64 asm "div.s64 $0, $1, $2;", "=l,l,l"(i64 %at, i64 %depth)
      %15 = call i64 asm "rem.s64 $0, $1, $2;", "=l,l,l"(i64 %14, i64 %columns)
      br label %16
    16:
      %row = phi i64 [ %12, %6 ], [ %15, %13 ]
      ret i64 %row
    }

Needs
    1. A division or remainder of 64-bit integers, or a difference that is a remainder, whose divisor is no constant.
    2. Neither operand is known or likely to be large: a constant beyond 32 bits, or a hash, which is computed from a
       product with such a constant.
    3. Each operand is known before the first division that the test is for, or is a result of one that it is for.
    4. Nothing between that first one and the division may end the thread.

Method
    gpucc, section 3.6, for several divisions of a block. An operand that is not negative and below 2^32 has an upper
    half of zeros, and signed and unsigned results agree. A quotient is at most its dividend, and a remainder below its
    divisor: they are small if these are, and need no test. So one test, of the upper halves of all other operands
    together, chooses between two arms with all divisions. A quotient and a remainder of the same operands are one
    division in either. The arm in 64 bits has them as assembly, which LLVM won't test again. Without an operand that
    has to be tested there is no branch.

When not
    A constant divisor, which becomes a product. A vector. Code that isn't reached, where a quotient may be its own
    dividend. Divisions in different blocks, which are tested for each block. If one operand of several turns out to be
    large, all of them are divided in 64 bits.

Neighbours
    In place of what LLVM does in CodeGenPrepare, to one pair at a time. LLVM's correlated-propagation has narrowed
    divisions by ranges along branches before. Runs after LLVM's optimiser, which has turned remainders into differences
    and unrolled loops.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, final

from lanewise.analysis.widths import MAX_DEPTH, unsigned_width
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.effects import may_not_return
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.reached_blocks import reached_blocks
from lanewise.ir.unused import erase_unused
from lanewise.ir.values import Constant, Value, i64

_QUOTIENTS: Final = ("sdiv", "udiv")
_REMAINDERS: Final = ("srem", "urem")
_HALF: Final = 32
_UPPER_HALF: Final = -(1 << _HALF)


@final
class _Division(NamedTuple):
    """A division, and which of its results is wanted."""

    instruction: Instruction
    dividend: Value
    divisor: Value
    signed: bool
    remainder: bool


@final
class _Group:
    """Divisions of a block that one test is for."""

    def __init__(self, first: int) -> None:
        self.first: Final = first
        """The number of the first one in its block."""
        self.divisions: Final[list[_Division]] = []
        self.tested: Final[dict[Value, None]] = {}
        """The operands to test, in order."""

    def quotient(self, value: Value) -> _Division | None:
        """The division that has `value` as its quotient."""
        found = (each for each in self.divisions if each.instruction is value and not each.remainder)
        return next(found, None)


def run(function: Function) -> bool:
    """Bypass the 64-bit divisions of a function; see above. Returns whether anything changed."""
    changed = False
    reached = set(reached_blocks(function.blocks[:1]))
    for block in [each for each in function.blocks if each in reached]:
        for group in reversed(list(_groups(block))):  # so that numbers of earlier instructions hold
            if group.tested:
                _bypass(group, block)
            else:
                _narrow(group, block)
            changed = True
    return changed


# -- what is tested together ---------------------------------------------------------------------------------------


def _groups(block: Block) -> Iterator[_Group]:
    places = {instruction: number for number, instruction in enumerate(block.instructions)}
    group: _Group | None = None
    for number, instruction in enumerate(block.instructions):
        if group is not None and may_not_return(instruction):  # 4
            yield group
            group = None
        division = _division(instruction, group)
        if division is None:
            continue
        tested = None if group is None else _tested(division, group, places)
        if group is None or tested is None:
            if group is not None:
                yield group
            group = _Group(number)
            tested = _tested(division, group, places)
            assert tested is not None, "operands are known before the division itself"
        group.divisions.append(division)
        group.tested.update(dict.fromkeys(tested))
    if group is not None:
        yield group


def _division(instruction: Instruction, group: _Group | None) -> _Division | None:
    """The division that an instruction is."""
    if instruction.type is not ty.I64:  # 1
        return None
    if instruction.op in _QUOTIENTS or instruction.op in _REMAINDERS:
        dividend, divisor = instruction.operands
        signed, remainder = instruction.op[0] == "s", instruction.op in _REMAINDERS
        if isinstance(divisor, Constant):  # 1
            return None
        found = _Division(instruction, dividend, divisor, signed, remainder)
        return None if _is_large(dividend) or _is_large(divisor) else found  # 2
    if instruction.op == "sub" and group is not None:
        dividend, product = instruction.operands
        if isinstance(product, Instruction) and product.op == "mul":
            for factor, divisor in (product.operands, product.operands[::-1]):
                of = group.quotient(factor)
                if of is not None and of.dividend is dividend and of.divisor is divisor:  # 1
                    return _Division(instruction, dividend, divisor, of.signed, True)
    return None


def _tested(division: _Division, group: _Group, places: dict[Instruction, int]) -> list[Value] | None:
    """The operands of a division that the test of a group has to ask for; None if it can't."""
    results = {each.instruction for each in group.divisions}
    found: list[Value] = []
    for operand in (division.dividend, division.divisor):
        if operand in results:
            continue
        if isinstance(operand, Instruction) and places.get(operand, -1) >= group.first:  # 3
            return None
        if unsigned_width(operand) > _HALF:
            found.append(operand)
    return found


def _is_large(value: Value, depth: int = MAX_DEPTH) -> bool:
    """True for a constant beyond 32 bits, and a hash that may be."""
    if isinstance(value, Constant):
        return value.kind == "int" and not 0 <= value.integer < 1 << _HALF
    if not isinstance(value, Instruction) or not depth or unsigned_width(value) <= _HALF:
        return False
    if value.op == "mul":
        return any(abs(_constant(operand) or 0) >> _HALF for operand in value.operands)
    if value.op in ("xor", "add"):
        return any(isinstance(each, Instruction) and _is_large(each, depth - 1) for each in value.operands)
    return value.op == "lshr" and _is_large(value.operands[0], depth - 1)


def _constant(value: Value) -> int | None:
    return value.integer if isinstance(value, Constant) and value.kind == "int" else None


# -- rewriting -----------------------------------------------------------------------------------------------------


def _bypass(group: _Group, block: Block) -> None:
    """Put a test and two arms in place of the divisions of a group."""
    function = block.parent
    narrow, wide, rest = (Block(None, function) for _ in range(3))
    after = function.blocks.index(block) + 1
    function.blocks[after:after] = [narrow, wide, rest]
    moved = block.instructions[group.first :]
    del block.instructions[group.first :]
    for instruction in moved:
        rest.append(instruction)
    for successor in set(rest.successors):
        for phi in successor.phis:
            phi.replace_operand(block, rest)

    build = Builder(block)
    all_bits, *others = group.tested
    for operand in others:
        all_bits = build.binary("or", all_bits, operand)
    frozen = build.cast("freeze", all_bits, ty.I64)
    upper = build.binary("and", frozen, i64(_UPPER_HALF))
    build.branch_if(build.compare("eq", upper, i64(0)), narrow, wide)
    small, large = _in_32_bits(group, Builder(narrow)), _in_64_bits(group, Builder(wide))
    for arm in (narrow, wide):
        Builder(arm).branch(rest)
    results: list[Value] = []
    for division, a, b in zip(group.divisions, small, large, strict=True):
        name = division.instruction.name
        phi = Instruction("phi", ty.I64, (a, narrow, b, wide), name=name)
        results.append(rest.insert(len(results), phi))
    _replace(group, results)


def _narrow(group: _Group, block: Block) -> None:
    """Put divisions in 32 bits in place of those of a group."""
    moved = block.instructions[group.first :]
    del block.instructions[group.first :]
    results = _in_32_bits(group, Builder(block))
    block.instructions += moved
    _replace(group, results)


def _in_32_bits(group: _Group, build: Builder) -> list[Value]:
    """The results in 64 bits of divisions in 32 bits."""
    halves: dict[Value, Value] = {}
    quotients: dict[tuple[Value, Value], Value] = {}

    def half(value: Value) -> Value:
        if value not in halves:
            halves[value] = build.cast("trunc", value, ty.I32)
        return halves[value]

    for division in group.divisions:
        a, b = half(division.dividend), half(division.divisor)
        if division.remainder and (quotient := quotients.get((a, b))) is not None:
            made = build.binary("sub", a, build.binary("mul", quotient, b))
        elif division.remainder:
            made = build.binary("urem", a, b)
        else:
            made = quotients[a, b] = build.binary("udiv", a, b)
        halves[division.instruction] = _at_place_of(division, made)
    return [build.cast("zext", halves[each.instruction], ty.I64) for each in group.divisions]


def _in_64_bits(group: _Group, build: Builder) -> list[Value]:
    """The results of divisions as they are, as assembly."""
    results: dict[Value, Value] = {}
    quotients: dict[tuple[Value, Value, bool], Value] = {}
    for division in group.divisions:
        a, b = (results.get(operand, operand) for operand in (division.dividend, division.divisor))
        operands = a, b, division.signed
        if division.remainder and (quotient := quotients.get(operands)) is not None:
            results[division.instruction] = build.binary("sub", a, build.binary("mul", quotient, b))
            continue
        results[division.instruction] = _assembly(division, a, b, build)
        if not division.remainder:
            quotients[operands] = results[division.instruction]
    return [results[each.instruction] for each in group.divisions]


def _assembly(division: _Division, a: Value, b: Value, build: Builder) -> Instruction:
    operation = f"{'rem' if division.remainder else 'div'}.{'s' if division.signed else 'u'}64"
    callee = Constant(ty.PTR, "asm", f'asm "{operation} $0, $1, $2;", "=l,l,l"')
    type_ = ty.function(ty.I64, (ty.I64, ty.I64))
    return _at_place_of(division, build.emit(Instruction("call", ty.I64, (callee, a, b), call=CallSite(type_))))


def _at_place_of(division: _Division, made: Instruction) -> Instruction:
    """An instruction, with the place in the source of the division that it is for."""
    made.metadata = tuple(each for each in division.instruction.metadata if each[0] == "!dbg")
    return made


def _replace(group: _Group, results: list[Value]) -> None:
    """Use results in place of divisions, and erase what is left over."""
    unused: list[Instruction] = []
    for division, result in zip(group.divisions, results, strict=True):
        division.instruction.replace_all_uses(result)
    for division, result in zip(group.divisions, results, strict=True):
        operands = [operand for operand in division.instruction.operands if isinstance(operand, Instruction)]
        division.instruction.erase()
        unused += [operand for operand in operands if operand.op == "mul"]
        unused += [result] if isinstance(result, Instruction) else []
    erase_unused(unused)
