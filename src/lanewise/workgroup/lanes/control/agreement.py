# SPDX-License-Identifier: Apache-2.0
"""A test, by few scalars, whether a condition is the same for all work-items of a unit.

    0 < x && x < n && y < n              in a unit whose chunks are above each other

needs neither vectors nor a test per chunk. The first work-item in x decides whether the first term is true for all, the
last one whether the second is, and the last one in y whether the third is. Terms that depend on x only are the same for
all units above each other, too, and leave their loop. So each term of a conjunction is tested by itself. A comparison
of an affine value, which goes up or down from the first work-item of a unit to the last, with a uniform one is tested
at its ends, provided that

    1. the steps are known and all of one sign, so that the ends are the least and the greatest value;
    2. no value between them wraps: that is known of exact shapes, else the ends are compared;
    3. the predicate is an order. `!= 0` is one, `> 0` of unsigned numbers; `== 0` is `<= 0`.
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.shapes import SIGNED, UNSIGNED, Shape
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.predicates import inverse, mirrored
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.workgroup.lanes.values.lane_code import LaneCode

MAX_TERMS: Final = 12
"""Terms of a conjunction that are tested one by one; a longer one is tested as a whole."""


def all_agree(code: LaneCode, condition: Value, block: Block, wanted: bool) -> Value:
    """True (i1) if `condition`, at the end of `block`, is as `wanted` for the whole unit. All work-items are active."""
    found: Value | None = None
    for term, truth in _terms(code, condition, block, wanted):
        this = _by_ends(code, term, block, truth)
        if this is None:
            this = code.all_of(code.both(None, code.use(term, block), truth))
        # A term may be poison if one before it is not as wanted.
        found = this if found is None else code.build.select(found, this, int_constant(ty.I1, 0))
    assert found is not None
    return found


def some_may_agree(code: LaneCode, condition: Value, block: Block, wanted: bool) -> Value:
    """False (i1) if `condition` is as `wanted` for no work-item of the unit, as far as a single term shows that."""
    nobody: Value | None = None
    for term, truth in _terms(code, condition, block, wanted):
        none = _by_ends(code, term, block, not truth)
        if none is None:
            lane_value = code.use(term, block)
            if lane_value.shape.lane != 0:
                return code.any_of(code.both(None, code.use(condition, block), wanted))
            none = code.all_of(code.both(None, lane_value, not truth))
        # Poison for all work-items only, so that none comes to ask for it; but here it is asked for.
        none = code.build.emit(Instruction("freeze", ty.I1, (none,)))
        nobody = none if nobody is None else code.build.binary("or", nobody, none)
    assert nobody is not None
    return code.build.binary("xor", nobody, int_constant(ty.I1, 1))


def _terms(code: LaneCode, condition: Value, block: Block, wanted: bool) -> list[tuple[Value, bool]]:
    """Terms that must all be true, or (false) all be false, for `condition` to be as wanted, in the order of
    evaluation."""
    terms = _split(code, condition, block, wanted)
    return terms if len(terms) <= MAX_TERMS else [(condition, wanted)]


def _split(code: LaneCode, condition: Value, block: Block, wanted: bool) -> list[tuple[Value, bool]]:
    if not isinstance(condition, Instruction) or not _is_of_iteration(code, condition, block):
        return [(condition, wanted)]
    operands = condition.operands
    parts: list[Value] = []
    if condition.op == ("and" if wanted else "or"):
        parts = list(operands)
    elif condition.op == "select" and _is(operands[1 if not wanted else 2], not wanted):
        parts = [operands[0], operands[2 if not wanted else 1]]
    elif condition.op == "xor" and _is(operands[1], True):
        return _split(code, operands[0], block, not wanted)
    if not parts:
        return [(condition, wanted)]
    return [term for part in parts for term in _split(code, part, block, wanted)]


def _is_of_iteration(code: LaneCode, value: Instruction, block: Block) -> bool:
    """Return whether a value that is used in `block` is computed in the same iteration of all loops, so that what it is
    computed from is still at hand."""
    if value.block is block:
        return True
    flow = code.divergence.flow
    made = value.block
    return made is not None and made in flow.predecessors and flow.loop_of(made) is flow.loop_of(block)


def _is(value: Value, truth: bool) -> bool:
    return isinstance(value, Constant) and value.kind == "int" and bool(value.integer) == truth


def _by_ends(code: LaneCode, term: Value, block: Block, wanted: bool) -> Value | None:
    if not isinstance(term, Instruction) or term.op != "icmp" or not _is_of_iteration(code, term, block):
        return None
    if not term.operands[0].type.is_int:
        return None
    a, b = (code.use(operand, block) for operand in term.operands)
    predicate = term.predicate if wanted else inverse(term.predicate)
    if a.shape.is_uniform:
        a, b, predicate = b, a, mirrored(predicate)
    if a.shape.is_uniform or not b.shape.is_uniform:
        return None
    bound = code.scalar(b)
    if predicate in ("eq", "ne") and _is_zero(bound):  # 3
        predicate = {"ne": "ugt", "eq": "ule"}[predicate]
    span = _span(code, a.shape)
    if predicate in ("eq", "ne") or span is None or abs(span) >= 1 << a.type.bits:  # 1
        return None
    first = code.scalar(a)
    last = code.build.binary("add", first, int_constant(a.type, span))
    least, greatest = (first, last) if span >= 0 else (last, first)
    deciding = greatest if predicate[1] == "l" else least
    decided = code.build.compare(predicate, deciding, bound)
    if a.shape.exact & (SIGNED if predicate[0] == "s" else UNSIGNED):
        return decided
    ordered = code.build.compare(f"{predicate[0]}le", least, greatest)  # 2
    return code.build.binary("and", ordered, decided)


def _is_zero(value: Value) -> bool:
    return isinstance(value, Constant) and value.kind == "int" and value.integer == 0


def _span(code: LaneCode, shape: Shape) -> int | None:
    """Last work-item's value minus the first's; None if the values between are not monotonic."""
    lane, row, chunk = shape[:3]
    if lane is None or row is None or chunk is None:
        return None
    steps = [step * (count - 1) for step, count in zip((lane, row, chunk), code.extent, strict=True)]
    return sum(steps) if min(steps) >= 0 or max(steps) <= 0 else None
