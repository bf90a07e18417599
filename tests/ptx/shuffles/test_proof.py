# SPDX-License-Identifier: Apache-2.0
"""What the proof rests on: that lanes N places on are neighbours in x where the corner predicate says so; and that each
part of that predicate, and each Need, is needed: without it, a concrete run differs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, cast

import pytest
import z3

import lanewise.ptx.shuffles.candidates as candidates
import lanewise.ptx.shuffles.proof as proof
import lanewise.ptx.shuffles.rewriting as rewriting
import lanewise.ptx.symbolic.execution as execution
import lanewise.ptx.symbolic.loops as loops
from lanewise.ptx.shuffles.iterations import Together
from lanewise.ptx.symbolic.state import State
from lanewise.ptx.symbolic.terms import Differs

from ..checker.judge import Undetermined
from ..checker.launches import BLOCKS
from ..checker.memory import Undefined
from . import cases
from .case import Case, difference
from .test_indices import _around_where_it_wraps

# -- the lemma ---------------------------------------------------------------------------------------------------------


def test_threads_n_places_on_are_neighbours_in_every_small_block() -> None:
    """Point 3 of proof.py, by exhaustion: threads are numbered x first, then y, then z."""
    for nx in range(1, 10):
        for ny in range(1, 5):
            for nz in range(1, 4):
                threads = [(x, y, z) for z in range(nz) for y in range(ny) for x in range(nx)]
                for number, (x, y, z) in enumerate(threads):
                    for n in range(-12, 13):
                        if 0 <= x + n < nx:
                            assert threads[number + n] == (x + n, y, z)


def test_the_guard_is_also_necessary_where_lanes_are_in_one_warp() -> None:
    """A lane N places on that is not the neighbour in x is refused: none is too many."""
    for nx in range(1, 40):
        for ny in range(1, 4):
            threads = [(x, y) for y in range(ny) for x in range(nx)]
            for number, (x, y) in enumerate(threads):
                for n in range(-31, 32):
                    same_warp = 0 <= number + n < len(threads) and (number + n) // 32 == number // 32
                    if same_warp and threads[number + n] == (x + n, y):
                        assert 0 <= x + n < nx


def test_threads_n_places_on_are_neighbours_in_every_block() -> None:
    """The same for all extents up to the largest, by Z3: another thread with that number would be another place."""
    x, y, z, nx, ny, nz, n = cast(list[Any], z3.Ints("x y z nx ny nz n"))
    u, v, w = cast(list[Any], z3.Ints("u v w"))
    extents = z3.And(nx >= 1, nx <= 1024, ny >= 1, ny <= 1024, nz >= 1, nz <= 64)
    here = z3.And(x >= 0, x < nx, y >= 0, y < ny, z >= 0, z < nz)
    there = z3.And(u >= 0, u < nx, v >= 0, v < ny, w >= 0, w < nz)
    # By rows: q is the row's number y + ny z. Two numbers are equal only if places and rows are.
    q, r = z3.Ints("q r")
    rows = z3.Solver()
    rows.add(extents, x + n >= 0, x + n < nx, u >= 0, u < nx, u + nx * r == x + nx * q + n, z3.Or(r != q, u != x + n))
    assert rows.check() == z3.unsat
    planes = z3.Solver()
    planes.add(extents, here, there, v + ny * w == y + ny * z, z3.Or(v != y, w != z))
    assert planes.check() == z3.unsat


def test_the_unsigned_comparison_is_the_guard() -> None:
    """`tid.x + N` in 32 bits, compared unsigned with the extent, says 0 <= tid.x + N < ntid.x."""
    x, extent = z3.BitVecs("x extent", 32)
    n = z3.BitVec("n", 32)
    solver = z3.Solver()
    solver.add(z3.UGE(extent, 1), z3.ULE(extent, 1024), z3.ULT(x, extent), n >= -31, n <= 31)
    inside = z3.And(x + n >= 0, x + n < extent)  # signed: nothing wraps round here
    solver.add(z3.ULT(x + n, extent) != inside)
    assert solver.check() == z3.unsat


# -- mutations ---------------------------------------------------------------------------------------------------------


_ROWS: Final = ((32, 1, 1), (64, 1, 1))
"""Blocks for cases that depend on who goes first: those of many random orders are run."""


def _differs(case: Case, rewritten: str, blocks: Any = BLOCKS, seeds: Any = (1,)) -> bool:
    try:
        return difference(case, rewritten, blocks, seeds) is not None
    except (Undefined, Undetermined):
        return False


PLAIN = cases.PLAIN["two_loads"]


@pytest.mark.parametrize(
    ("part", "pattern", "replacement"),
    [
        ("activemask", r"setp\.ne\.s32 (%lw_p\d+), (%lw_r\d+), -1;", r"setp.ne.s32 \1, \2, \2;"),
        ("lanes", r"setp\.gt\.u32 (%lw_p\d+), (%lw_r\d+), 30;", r"setp.gt.u32 \1, \2, 31;"),
        ("extent", r"setp\.ge\.or\.u32 (%lw_p\d+), (%lw_r\d+), (%lw_r\d+), %lw_p\d+;", ""),
        ("one extent more", r"(add\.s32 %lw_r\d+, %lw_r\d+), 1;", r"\1, 0;"),
        ("the paper's lane", r"mov\.u32 (%lw_r\d+), %laneid;", r"and.b32 \1, %x, 31;"),
        ("the load", r"@%lw_p\d+ ld\.global", "@%p29 ld.global"),
    ],
)
def test_each_part_of_the_corner_predicate_is_needed(part: str, pattern: str, replacement: str) -> None:
    body = PLAIN.body if part != "activemask" else """
    setp.eq.s32 %p1, %x, 7;
    @%p1 bra E;
    ld.global.f32 %f1, [%a];
    ld.global.f32 %f2, [%a+4];
    use %f1, %f2;
E:
"""  # fmt: skip
    if part in ("extent", "one extent more", "the load", "the paper's lane"):
        body = "setp.ne.s32 %p29, 0, 0;\n" + body
    case = Case(body)
    right = case.synthesise().text
    wrong, count = re.subn(pattern, replacement, right)
    if part == "the paper's lane":  # it is taken where %x is known, and without the check of the extent
        wrong = wrong.replace("and.b32 %lw_r2, %x, 31;", "mov.u32 %lw_r2, %tid.x;\n    and.b32 %lw_r2, %lw_r2, 31;")
        wrong = re.sub(r"setp\.ge\.or\.u32 .*\n", "\n", wrong)
    assert count == 1
    assert not _differs(case, right)
    assert _differs(case, wrong)


def test_the_check_of_wrapping_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case("""
    add.s32 %r1, %x, %n;
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %other;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
""")
    right = case.synthesise().text
    assert _around_where_it_wraps(case, right, unsigned=False) is None

    def careless(self: Any, here: Any, there: Any, facts: Any, rough: bool = True) -> bool:
        return True

    monkeypatch.setattr(proof.Prover, "_equal", careless)
    wrong = case.synthesise().text
    assert wrong != right
    assert _around_where_it_wraps(case, wrong, unsigned=False) is not None


def _no_forgetting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "forget", lambda self, *_: None)


def _guards_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = candidates._plain

    def careless(access: Any) -> bool:
        return plain(type(access)(**{f: getattr(access, f) for f in access.__slots__} | {"surely": True}))

    monkeypatch.setattr(candidates, "_plain", careless)


def _atomics_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "CLOBBERS", frozenset())


def _stores_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "may_touch", lambda terms, store, load: False)


def _last_flow_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Need 3, and Need 2 of all flows: what the last one says is taken for all."""
    find = candidates.Finder.candidate
    monkeypatch.setattr(candidates.Finder, "candidate", lambda self, s, shuffled, *a: find(self, s[-1:], shuffled, *a))


def _sure_of_equality(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof.Prover, "_equal", lambda self, here, there, facts, rough=True: True)


def _all_in_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops.Loops, "part", lambda self, block, successors: None)


def _memory_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops.Loops, "times", lambda self, step, space: ())


def _never_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """All lanes read memory at one time."""
    monkeypatch.setattr(State, "apart", property(lambda self: False, lambda self, value: None))


def _memory_stays_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    _memory_stays(monkeypatch)
    _never_apart(monkeypatch)


def _never_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lanes that are active together are taken to be in the same iteration."""
    monkeypatch.setattr(proof, "together_of", lambda terms, out_of_step: Together())


def _counted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The counter of an inner loop doesn't begin anew with the loop around."""
    monkeypatch.setattr(rewriting, "around", lambda flow, header: None)


def _inner_loops_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a loop that lanes leave by themselves, how far its inner loops came is taken for alike."""
    monkeypatch.setattr(loops.Loops, "_headers_in", lambda self, header: frozenset({header}))


def _growth_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    close = loops.Loops.close

    def careless(self: Any, header: int, state: Any) -> None:
        facts, changed = self._facts[header], self._facts[header].changed
        facts.changed = frozenset(register for register in changed if register in state.entered[header])
        close(self, header, state)
        facts.changed = changed

    monkeypatch.setattr(loops.Loops, "close", careless)


_OWN_CELL = """
    ld.global.u32 %r1, [%o];
    {change}
    ld.global.u32 %r2, [%o];
    use %r1, %r2;
"""


@pytest.mark.parametrize(
    ("weaken", "case"),
    [
        (_no_forgetting, cases.NEED_2["the_register_is_overwritten"]),
        (_no_forgetting, cases.NEED_2["the_register_is_overwritten_under_a_guard"]),
        (_guards_overlooked, cases.NEED_1["source_under_a_guard"]),
        (_guards_overlooked, cases.NEED_1["destination_under_a_guard"]),
        (_atomics_overlooked, Case(_OWN_CELL.format(change="red.global.add.u32 [%o], 7;"))),
        (_stores_overlooked, Case(_OWN_CELL.format(change="st.global.u32 [%o], %t;"))),
        (_last_flow_only, cases.NEED_2["a_load_in_one_of_two_flows"]),
        (_last_flow_only, cases.NEED_3["two_distances_of_two_flows"]),
        (_sure_of_equality, cases.NEED_3["two_distances_of_two_flows"]),
        (_sure_of_equality, cases.NEED_3["one_distance_and_two_offsets"]),
        (_sure_of_equality, cases.NEED_3["two_distances_of_two_sources"]),
        (_all_in_step, cases.LOOPS["lanes_that_leave_by_themselves"]),
        (_all_in_step, cases.LOOPS["lanes_that_leave_through_a_table"]),
        (_all_in_step, cases.LOOPS["iterations_of_flows_that_begin_apart"]),
        (_all_in_step, cases.LOOPS["lanes_that_may_leave_where_others_do_not_come"]),
        (_memory_stays, cases.LOOPS["a_step_that_memory_changes"]),
        (_memory_stays_for_all, cases.LOOPS["lanes_that_leave_with_what_memory_held"]),
        (_growth_unseen, cases.LOOPS["a_step_that_is_each_lanes_own_behind_many_flows"]),
    ],
)
def test_each_need_is_needed(
    weaken: Callable[[pytest.MonkeyPatch], None], case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = case.synthesise().text
    assert not _differs(case, right)
    weaken(monkeypatch)
    wrong = case.synthesise().text
    assert wrong != right
    assert _differs(case, wrong)


@pytest.mark.parametrize(
    ("weaken", "case"),
    [
        (_never_apart, cases.APART["handed_over_with_a_fence"]),
        (_never_apart, cases.APART["a_lock_by_turns_in_volatile_loads"]),
        (_never_apart, cases.APART["a_flag_of_ones_own"]),
        (_never_tested, cases.STEPS["a_call_with_barriers_of_the_warp"]),
        (_never_tested, cases.STEPS["lanes_that_part_within_a_loop"]),
        (_never_tested, cases.STEPS["lanes_that_part_before_a_loop"]),
        (_never_tested, cases.STEPS["half_barriers_of_the_warp"]),
        (_never_tested, cases.STEPS["a_pointer_in_a_nest_of_loops"]),
        (_never_tested, cases.STEPS["for_pascal"]),
        (_counted_on, cases.STEPS["an_inner_loop_of_each_lanes_own_length"]),
        (_inner_loops_remembered, cases.STEPS["an_inner_loop_of_the_last_iteration_of_each_lane"]),
    ],
)
def test_lanes_that_go_at_different_times_are_told_apart(
    weaken: Callable[[pytest.MonkeyPatch], None], case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As above, of what only some orders of lanes show."""
    right = case.synthesise().text
    assert not _differs(case, right, _ROWS, range(3))
    weaken(monkeypatch)
    wrong = case.synthesise().text
    assert wrong != right
    assert _differs(case, wrong, _ROWS, range(40))


def test_a_value_that_differs_is_not_the_neighbours() -> None:
    """The order of `Differs` is what comparisons with BY_ROW rest on."""
    assert Differs.NOT < Differs.BY_ROW < Differs.BY_PLACE < Differs.FREELY
