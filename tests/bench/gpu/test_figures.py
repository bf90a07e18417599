# SPDX-License-Identifier: Apache-2.0
"""The figures of gpucc (CGO 2016) as kernels of bench/gpu: their PTX is what the paper shows."""

from __future__ import annotations

import itertools
import re
from collections import Counter

from bench.gpu.suite import kernel

import lanewise as lw


def _ptx(name: str) -> str:
    return lw.compile(kernel(name).source(), language="cuda").ptx("sm_80")


def _loads(ptx: str) -> list[tuple[str, int]]:
    """Register and constant of the address of each load from global memory."""
    found = re.findall(r"ld\.global\.\S+\s+%\w+, \[(%rd\d+)(?:\+(-?\d+))?\]", ptx)
    return [(register, int(constant or 0)) for register, constant in found]


def _count(ptx: str, operation: str) -> int:
    return len(re.findall(rf"\b{re.escape(operation)}\s", ptx))


def test_figure_4_a_pointer_that_a_loop_steps_through_shared_memory_is_known_to_be_shared():
    ptx = _ptx("pointer_induction")
    assert "ld.shared" in ptx
    assert not re.search(r"\bld\.(?:[bfsu]\d|v[24])", ptx), "a generic load"


def test_figure_5d_six_of_nine_addresses_are_constants_from_the_others():
    ptx = _ptx("submatrix")
    rows = Counter(register for register, _ in _loads(ptx))
    assert list(rows.values()) == [3, 3, 3]
    assert [constant for _, constant in _loads(ptx)] == [0, 4, 8] * 3  # p1, p2, p4, p5, p7 and p8 are folded
    p0, p3, p6 = rows
    step = re.search(rf"add\.s64\s+{p3}, {p0}, (%rd\d+);", ptx)
    assert step, "p3 = &p0[n]"
    assert re.search(rf"add\.s64\s+{p6}, {p3}, {step[1]};", ptx), "p6 = &p3[n]"
    assert _count(ptx, "mul.lo.s64") == 2  # b * n, and b * width of the result


def test_figure_7_an_address_of_one_arm_is_computed_from_that_of_another():
    ptx = _ptx("guarded_loads")
    before, _, arms = ptx.partition("bra")
    (p, _), *others = _loads(arms)
    assert re.search(rf"add\.s64\s+{p},", before), "p = &a[i] is hoisted"
    for q, _ in others:
        assert re.search(rf"add\.s64\s+{q}, {p}, ", ptx), "q = &p[j]"


def test_table_3_each_form_takes_one_product_and_then_sums():
    ptx = _ptx("strength_forms")
    assert _count(ptx, "mul.lo.s32") == 1  # b * s; (b + 5) * s is 3 * s beyond (b + 2) * s
    assert re.findall(r"mad\.lo\.s32\s+%r\d+, (%r\d+), (\d+)", ptx)[-1][1] == "3"
    assert _count(ptx, "mul.wide.s32") == 2  # i and s in bytes, for five addresses
    addresses = [register for register, _ in _loads(ptx)]
    for before, after in itertools.pairwise(addresses):
        assert re.search(rf"add\.s64\s+{after}, {before}, ", ptx), "&p[(k + 1) * s] from &p[k * s]"


def test_section_343_a_sum_is_computed_from_the_pair_that_was_added_before():
    ptx = _ptx("shared_sums")
    rows = Counter(register for register, _ in _loads(ptx))
    assert list(rows.values()) == [2, 2, 2]  # c + 1 + x0 + n, in any order, is 1 beyond c + x1
    assert sorted(constant for _, constant in _loads(ptx)) == [0, 0, 0, 4, 4, 4]
    assert _count(ptx, "mul.lo.s32") == 0
    assert _count(ptx, "mad.lo.s32") == 2  # the thread's number, and b * n
