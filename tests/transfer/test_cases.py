# SPDX-License-Identifier: Apache-2.0
"""The numbered cases of section 4 of the jit4GPU paper, with its own examples. Elements are bytes, as in the paper."""

import time

import pytest
from tests.transfer.nests import ORIGIN, check

from lanewise.transfer import integer_program
from lanewise.transfer.affine import AffineForm, counter
from lanewise.transfer.layout import pack
from lanewise.transfer.lmad import (
    Lmad,
    bases_within_stride,
    describe,
    interleaves,
    is_restricted,
    overlap_groups,
)
from lanewise.transfer.nest import ArrayReference, HostArray, LoopRange, normalise
from lanewise.transfer.plan import GroupPlan, NestPlan, plan

MEMORY = HostArray("a", ORIGIN, (4000,), (1,), 1)
AT_I, AT_J = counter("i"), counter("j")


def loops(*counts: int) -> tuple[LoopRange, ...]:
    return tuple(LoopRange(name, count) for name, count in zip("ijk", counts, strict=False))


def only(made: NestPlan) -> GroupPlan:
    (group,) = made.groups
    return group


def reads(*subscripts: AffineForm) -> list[ArrayReference]:
    return [ArrayReference(MEMORY, (subscript,)) for subscript in subscripts]


def planned(nest: tuple[LoopRange, ...], *subscripts: AffineForm) -> GroupPlan:
    """The only group of reads at these subscripts, whose plan is checked to be exact."""
    made = plan(nest, reads(*subscripts))
    assert check(nest, reads(*subscripts), made) == 1.0
    return only(made)


def test_4_2_the_example_is_a_descriptor_with_a_triangular_domain():
    array = HostArray("A", ORIGIN, (300, 80), (80, 1), 1)
    reference = ArrayReference(array, (AT_I.plus(AT_J).plus(1), AT_I.times(2).plus(2)))
    assert reference.address() == AffineForm(ORIGIN + 82, (("i", 82), ("j", 80)))
    triangle = normalise((LoopRange("i", 100), LoopRange("j", AffineForm(5, (("i", 1),)))))
    assert triangle.hull() == {"i": (0, 100), "j": (0, 104)}


def test_4_2_bounds_are_normalised():
    nest = normalise((LoopRange("i", 20, 2, 3), LoopRange("j", 0, AT_I, -2)))
    assert [loop.count({"i": 4}) for loop in nest.loops] == [6, 7]
    assert nest.variables["j"] == AffineForm(2, (("i", 3), ("j", -2)))


def test_4_3_the_overlap_graph_joins_intervals_through_others():
    assert overlap_groups([(0, 5), (9, 12), (4, 10), (12, 14)]) == [[0, 2, 1], [3]]


def test_4_3_1_figure_4():
    group = planned(loops(5), AT_I.times(3).plus(2))
    assert group.kind == "packed"
    assert (group.size, group.addresses) == (5, (counter("i"),))


def test_4_3_2_figure_5_interleaved_references_are_one_contiguous_copy():
    group = planned(loops(5), AT_I.times(2), AT_I.times(2).plus(1))
    assert group.size == 10
    assert group.addresses == (counter("i", 2), AffineForm(1, (("i", 2),)))


def test_4_3_2_figure_7_allocates_24_elements_and_copies_the_15_touched():
    group = planned(loops(5), AT_I.times(4), AT_I.times(4).plus(5), AT_I.times(4).plus(15))
    assert group.size == 24
    assert sum(copy.bytes for copy in group.copies_in) == 15
    assert group.addresses == tuple(AffineForm(c, (("i", 3),)) for c in (0, 3 + 1, 3 * 3 + 2))


@pytest.mark.parametrize(("u2", "restricted", "elements"), [(6, True, 24), (8, True, 32), (9, False, 33)])
def test_4_3_3_figure_8_with_rows_of_8(u2: int, restricted: bool, elements: int):
    assert is_restricted((8, 1), (4, u2)) == restricted
    assert planned(loops(4, u2), AT_I.times(8).plus(AT_J)).size == elements


def test_theorem_1_addresses_grow_with_the_iterations():
    assert is_restricted((20, 6, 2), (3, 3, 3))
    addresses = [20 * i + 6 * j + 2 * k for i in range(3) for j in range(3) for k in range(3)]
    assert addresses == sorted(set(addresses))
    assert not is_restricted((16, 6, 2), (3, 3, 3))  # 16 is also 2 * 6 + 2 * 2


def test_theorem_2_counts_n_times_the_domain():
    assert interleaves((16, 4), (3, 4))
    assert bases_within_stride([0, 1, 3], (16, 4))
    group = planned(loops(3, 4), *(AT_I.times(16).plus(AT_J.times(4)).plus(b) for b in (0, 1, 3)))
    assert group.size == 3 * 12


def test_condition_14_rejects_the_example_of_4_3_4():
    assert is_restricted((16, 5), (8, 4))
    assert not interleaves((16, 5), (8, 4))  # f1(i + 1, 0) = f2(i, 3)
    group = planned(loops(8, 4), AT_I.times(16).plus(AT_J.times(5)), AT_I.times(16).plus(AT_J.times(5)).plus(1))
    assert group.kind == "interval"


def test_condition_15_rejects_bases_a_stride_apart():
    assert not bases_within_stride([0, 4], (16, 4))


STENCIL = [-20, -1, 0, 1, 20]


def test_4_3_4_second_case_a_stencil_is_packed():
    nest = loops(6, 5)
    group = planned(nest, *(AT_I.times(20).plus(AT_J).plus(100 + b) for b in STENCIL))
    assert (group.kind, group.size) == ("packed", 8 * 7)


def member(base: int) -> Lmad:
    return describe(AffineForm(base, (("i", 20), ("j", 1))), {"i": (0, 6), "j": (0, 5)})


def test_4_3_4_the_integer_program_finds_the_stencils_layout():
    pytest.importorskip("scipy")
    start = time.perf_counter()
    digits = integer_program.solve([100 + b for b in STENCIL], (20, 1), [(6, 5)] * 5)
    assert digits is not None
    assert time.perf_counter() - start < 5  # the solver's own limit is 50 ms; the first call imports SciPy
    assert [max(u + t[k] for (t, _), u in zip(digits, [(6, 5)[k]] * 5, strict=True)) for k in range(2)] == [8, 7]


def test_4_3_4_bases_far_apart_are_packed_within_condition_14():
    """Shifts 0, (1, -4) and (1, -1): the second axis grows by 4 to 9, which strides of 20 have room for."""
    layout = pack([member(100 + b) for b in (0, 16, 19)])
    assert layout is not None
    assert interleaves(layout.strides, layout.domain)
    assert layout.size <= 8 * 20


def test_the_integer_program_has_a_limit_on_its_size():
    assert integer_program.solve(list(range(60)), (20, 1), [(6, 5)] * 60) is None


def test_algorithm_1_with_the_rank_of_the_remainder():
    """r = {0, 6} and s = 8: with r itself as offset, host elements 6 and 24 would meet."""
    group = planned(loops(4), AT_I.times(8), AT_I.times(8).plus(6))
    assert group.size == 8
    assert group.addresses == (counter("i", 2), AffineForm(1, (("i", 2),)))


def test_4_3_4_the_integer_program_is_used_where_digits_fail():
    pytest.importorskip("scipy")
    group = planned(loops(3, 3), AT_I.times(6), AT_J.times(2).plus(8))
    assert group.kind == "packed"
