# SPDX-License-Identifier: Apache-2.0
"""Whole modules: old versions and targets, directives, options, and kernels that are left as they are."""

from __future__ import annotations

import re

import pytest

import lanewise as lw
import lanewise.ptx.symbolic.emulator as emulator

from .case import Case, check, difference, launches
from .cases import PLAIN

TWO = PLAIN["two_loads"]


def _declined(case: Case) -> tuple[str, str]:
    """The line of the PTX that stands in the way, and why."""
    made = case.synthesise()
    assert made.text == case.text
    (report,) = made.kernels
    (declined,) = report.declined
    assert not report.replaced
    assert report.found == 0
    prefix = "the kernel is left as it is: "
    assert declined.why.startswith(prefix)
    return case.text.splitlines()[declined.line - 1].strip(), declined.why.removeprefix(prefix)


# -- kernels that can't be analysed ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "line", "why"),
    [
        ("ld.global.f32 %f1, [%a];\nadd.f32 %f3, %f29, %f1;", "add.f32 %f3, %f29, %f1;", "%f29 is read but never"),
        ("frobnicate.b32 %r1, %t;", "frobnicate.b32 %r1, %t;", "frobnicate.b32 is not known"),
        (
            "setp.eq.s32 %p1, %n, 3;\n@%p1 bra M;\nL:\nadd.s32 %n, %n, 1;\nM:\nsetp.lt.s32 %p2, %n, 9;\n@%p2 bra L;",
            "add.s32 %n, %n, 1;", "irreducible",
        ),
        ("bra NOWHERE;", "bra NOWHERE;", "NOWHERE, which is no label"),
        ("brx.idx %n, NOWHERE;", "brx.idx %n, NOWHERE;", "targets are not listed"),
        ("{\nL:\n}\nbra L;", "bra L;", "L, which is no label"),
    ],
)  # fmt: skip
def test_a_kernel_is_left_as_it_is_and_the_line_says_why(body: str, line: str, why: str) -> None:
    found, reason = _declined(Case(body))
    assert found == line
    assert why in reason


def test_another_kernel_of_the_module_is_not_left() -> None:
    text = TWO.text + TWO.text.partition(".address_size 64")[2].replace("k(", "q(").replace("k_", "q_").replace(
        "    ret;", "    frobnicate.b32 %r1, %t;\n    ret;"
    )
    made = lw.ptx.synthesise_shuffles(lw.ptx.parse(text), always=True)
    assert [(kernel.name, kernel.shuffles) for kernel in made.kernels] == [("k", 1), ("q", 0)]
    assert made.text.endswith(text[text.index(".visible .entry q") :])


def test_a_table_of_branches_is_followed() -> None:
    case = Case("""
    and.b32 %r1, %x, 1;
    ld.global.f32 %f1, [%a];
    mov.f32 %f3, %f1;
T: .branchtargets L, M;
    brx.idx %r1, T;
L:
    ld.global.f32 %f3, [%a+8];     // = 2
M:
    ld.global.f32 %f2, [%a+4];     // = 1
    use %f1, %f2, %f3;
""")
    made = check(case)
    assert difference(case, made.text) is None


_SQUARE = """
.func (.param .b32 r0) square(.param .b32 a0)
{
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [a0];
    mul.lo.s32 %r1, %r1, %r1;
    and.b32 %r1, %r1, 15;
    st.param.b32 [r0], %r1;
    ret;
}
"""
_CALL = """
    {{
    .param .b32 q0;
    st.param.b32 [q0], {of};
    .param .b32 v0;
    call.uni (v0), square, (q0);
    ld.param.b32 {into}, [v0];
    }}
"""


def test_a_call_stands_between() -> None:
    check(Case(
        "ld.global.f32 %f1, [%a];" + _CALL.format(of="%x", into="%r1")
        + "ld.global.f32 %f2, [%a+4];  // stays: call\nuse %f1, %f2, %r1;", module=_SQUARE,
    ))  # fmt: skip


def test_what_a_call_returns_is_each_lanes_own() -> None:
    """It is read from parameter space, where a kernel's arguments are, too, which are the same for all."""
    check(Case(_CALL.format(of="%x", into="%r1") + """
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
""", module=_SQUARE))  # fmt: skip


def test_two_calls_return_two_values() -> None:
    check(Case(_CALL.format(of="%x", into="%r1") + _CALL.format(of="%y", into="%r2") + """
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    mul.wide.s32 %d2, %r2, 4;
    add.s64 %d2, %d2, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d2];
    use %f1, %f2;
""", module=_SQUARE))  # fmt: skip


@pytest.mark.parametrize("name", ["smid", "warpid"])
def test_a_place_that_changes_is_not_the_same_twice(name: str) -> None:
    """PTX ISA 9.0, 10.4 and 10.8: a warp may be moved while it runs."""
    check(Case(f"""
    mov.u32 %r1, %{name};
    mov.u32 %r2, %{name};
    mul.wide.u32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    mul.wide.u32 %d2, %r2, 4;
    add.s64 %d2, %d2, %a;
    ld.global.b32 %r3, [%d1];
    ld.global.b32 %r4, [%d2+4];
    use %r3, %r4;
"""))  # fmt: skip


def test_a_store_in_bulk_stands_between() -> None:
    check(Case("""
    ld.shared.u32 %r1, [sm+8];
    mov.u64 %d1, sm;
    st.bulk.weak.shared::cta [%d1], 64, 0;
    ld.shared.u32 %r2, [sm+8];     // stays: st in line 42 stands between
    use %r1, %r2;
""", variables=".shared .align 16 .b8 sm[64];", target="sm_100", version="8.6"))  # fmt: skip


# -- versions, targets, directives -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "new"), [("3.2", "6.2"), ("6.1", "6.2"), ("6.2", "6.2"), ("6.3", "6.3"), ("8.7", "8.7")]
)
def test_the_version_is_at_least_that_of_activemask(version: str, new: str) -> None:
    case = Case(TWO.body, version=version, target="sm_35")
    made = check(case)
    assert made.text.startswith(f".version {new}\n.target sm_35\n")


def test_the_version_stays_where_nothing_is_replaced() -> None:
    case = Case("ld.global.f32 %f1, [%a];\nuse %f1;", version="3.2", target="sm_35")
    assert check(case).text.startswith(".version 3.2\n")


def test_a_target_without_shuffles_is_left() -> None:
    case = Case(TWO.body, version="3.2", target="sm_20")
    found, why = _declined(case)
    assert found == case.text.splitlines()[4].strip()
    assert why == "shuffles need sm_30, the target is sm_20"


@pytest.mark.parametrize(
    ("directive", "holds"),
    [
        (".reqntid 32", True), (".reqntid 96, 1, 1", True), (".reqntid 48", True), (".reqntid 33, 1", True),
        (".reqntid 64, 2", True), (".reqntid 32, 4, 2", True), (".reqntid 16, 16", False), (".reqntid 16", True),
        (".reqntid 40, 3", False), (".reqntid 8, 1, 8", False), (".reqntid 33, 2", False), (".maxntid 64, 1, 1", False),
        (".maxntid 32", False),
    ],
)  # fmt: skip
def test_rows_that_hold_whole_warps_need_no_neighbour_check(directive: str, holds: bool) -> None:
    case = Case(TWO.body, directives=directive)
    made = check(case)
    assert ("mov.u32 %lw_r3, %tid.x;" in made.text) is not holds
    numbers = [int(word) for word in re.findall(r"\d+", directive)]
    block = (*numbers, 1, 1)[:3]
    assert difference(case, made.text, (block,), (1, 2, 3)) is None


# -- options -----------------------------------------------------------------------------------------------------------

THREE = Case("""
    ld.global.f32 %f1, [%a];
    ld.global.f32 %f2, [%a+8];
    ld.global.f32 %f3, [%a+20];
    use %f1, %f2, %f3;
""")


@pytest.mark.parametrize(("limit", "lanes"), [(31, [2, 5]), (5, [2, 5]), (4, [2]), (2, [2]), (1, []), (0, [])])
def test_max_delta(limit: int, lanes: list[int]) -> None:
    (report,) = THREE.synthesise(max_delta=limit).kernels
    assert [load.lanes[0] for load in report.replaced] == lanes
    assert report.found == 2
    assert all(f"more than {limit}" in declined.why for declined in report.declined)
    assert len(report.declined) == 2 - len(lanes)


def test_max_delta_prefers_a_source_that_is_near_enough() -> None:
    case = Case("""
    ld.global.f32 %f1, [%a];
    ld.global.f32 %f2, [%a+-12];
    ld.global.f32 %f3, [%a+8];
    use %f1, %f2, %f3;
""")
    assert [load.lanes for load in case.synthesise(max_delta=2).kernels[0].replaced] == [(2,)]


@pytest.mark.parametrize("limit", [-1, 32])
def test_max_delta_is_within_a_warp(limit: int) -> None:
    with pytest.raises(lw.Error, match=f"from 0 to 31, not {limit}"):
        THREE.synthesise(max_delta=limit)


def test_no_corner_leaves_the_loads_out_and_is_wrong() -> None:
    made = THREE.synthesise(corner=False)
    assert made.text.count("ld.global") == 1
    assert made.text.count("shfl.sync") == 2
    assert "%laneid" not in made.text
    assert difference(THREE, made.text, ((32, 1, 1),)) is not None


def test_no_load_leaves_the_shuffles_out_and_is_wrong() -> None:
    made = THREE.synthesise(load=False)
    assert made.text.count("ld.global") == 1
    assert "shfl" not in made.text
    assert difference(THREE, made.text, ((32, 1, 1),)) is not None


def test_uniform_branch_guards_the_shuffles() -> None:
    made = THREE.synthesise(uniform_branch=True)
    assert len(re.findall(r"@!%lw_p\d+ shfl\.sync", made.text)) == 2
    assert difference(THREE, made.text) is None


def test_what_does_not_pay_stays() -> None:
    (report,) = Case(TWO.body, target="sm_70").synthesise(always=False).kernels
    assert (report.found, report.shuffles) == (1, 0)
    assert "it doesn't pay on sm_70" in report.declined[0].why
    (report,) = Case(TWO.body, target="sm_52").synthesise(always=False).kernels
    assert report.shuffles == 1


def test_names_of_its_own_are_new() -> None:
    case = Case(TWO.body.replace("use", "mov.u32 %lw_r0, 3;\n    use %lw_r0;\n    use"), variables=".reg .b32 %lw_r0;")
    made = check(case)
    assert "%lw___r1" in made.text
    assert difference(case, made.text) is None


def test_all_else_stays_as_it_is() -> None:
    """To the last comment: what is taken away is the load, and all lines that are added speak of %lw or the load."""
    made = check(TWO)
    left = [line for line in made.text.splitlines() if "%lw" not in line]
    assert left == [line for line in TWO.text.splitlines() if "// = 1" not in line]


def test_what_is_made_is_not_shuffled_again() -> None:
    """The load that is kept for corners is under a guard."""
    made = THREE.synthesise()
    again = lw.ptx.synthesise_shuffles(made.module, always=True)
    assert again.kernels[0].shuffles == 0
    assert again.text == made.text


def test_the_launches_have_full_warps_partial_ones_and_short_rows() -> None:
    """Of what the cases are run with."""
    shapes = [launch.block for launch in launches()]
    assert {(16, 16, 1), (33, 1, 1), (48, 1, 1), (32, 1, 1)} <= set(shapes)


# -- what is declined although it could be proven ----------------------------------------------------------------------

_NEVER = "no warp can have all of its lanes here"
_GUARDED = """
    setp.ge.u32 %p1, {what}, {bound};
    @%p1 bra E;
    ld.global.f32 %f1, [%a];
    ld.global.f32 %f2, [%a+4];     // {expected}
    use %f1, %f2;
E:
"""
_IN_ROWS = ".reqntid 64, 2, 1"


@pytest.mark.parametrize(
    ("what", "bound", "directives", "expected"),
    [
        ("%x", 16, _IN_ROWS, f"stays: {_NEVER}"),
        ("%x", 31, _IN_ROWS, f"stays: {_NEVER}"),
        ("%x", 32, _IN_ROWS, "= 1"),
        ("%x", 16, "", "= 1"),  # two rows of a block of 16 x 16 are a warp
        ("%x", 16, ".reqntid 16, 16, 1", "= 1"),
        ("%x", 1, "", f"stays: {_NEVER}"),  # a neighbour it has never
        ("%r1", 31, "", f"stays: {_NEVER}"),
        ("%r1", 32, "", "= 1"),
        ("%r2", 1, _IN_ROWS, f"stays: {_NEVER}"),
        ("%n", 16, _IN_ROWS, "= 1"),
    ],
)
def test_where_no_warp_can_be_full(what: str, bound: int, directives: str, expected: str) -> None:
    body = "mov.u32 %r1, %laneid;\nand.b32 %r2, %x, 1;" + _GUARDED.format(what=what, bound=bound, expected=expected)
    check(Case(body, directives=directives))


@pytest.mark.parametrize(("bound", "shuffles"), [(16, 0), (31, 0), (32, 1)])
def test_a_kernel_that_knows_x_only_has_blocks_of_one_dimension(bound: int, shuffles: int) -> None:
    source = f"""
extern "C" __global__ void k(float *out, const float *in) {{
    if (threadIdx.x < {bound}) out[threadIdx.x] = in[threadIdx.x] - in[threadIdx.x + 1];
}}"""
    text = lw.compile(source, language="cuda").ptx()
    assert lw.ptx.synthesise_shuffles(lw.ptx.parse(text), always=True).kernels[0].found == shuffles


def test_a_ticket_is_each_lanes_own() -> None:
    """Race-free CUDA: a lock that lanes take one after the other."""
    source = """
extern "C" __global__ void k(int *lock, int *counter, const float *a, float *x, float *y, int *tickets) {
    while (atomicCAS(lock, 0, 1) != 0);
    __threadfence();
    int index = *counter;
    *counter = index + 1;
    __threadfence();
    atomicExch(lock, 0);
    __syncwarp();
    int own = blockIdx.x * blockDim.x + threadIdx.x;
    x[own] = a[index + threadIdx.x];
    y[own] = a[index + threadIdx.x + 1];
    tickets[own] = index;
}"""
    text = lw.compile(source, language="cuda").ptx()
    assert lw.ptx.synthesise_shuffles(lw.ptx.parse(text), always=True).kernels[0].found == 0


_ALTERNATING = """
    mov.u32 %r1, 0;
L:
    shr.u32 %r2, %x, 4;
    add.s32 %r2, %r1, %r2;
    and.b32 %r2, %r2, 1;
    setp.eq.s32 %p1, %r2, 0;
    @%p1 bra M;
    mul.wide.u32 %d1, %r1, 32;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    {third}
    use %f1, %f2;
M:
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p3, %r1, 4;
    @%p3 bra L;
"""


@pytest.mark.parametrize(("third", "shuffles"), [("", 0), ("ld.global.f32 %f3, [%d1+8];\n    use %f3;", 2)])
def test_the_test_for_one_iteration_has_to_pay(third: str, shuffles: int) -> None:
    """On Pascal, one shuffle saves less than the test takes, and two save more."""
    case = Case(_ALTERNATING.format(third=third), target="sm_60")
    (report,) = case.synthesise(always=False).kernels
    assert report.found == 1 + bool(third)
    assert report.shuffles == shuffles
    assert shuffles or "the test that lanes are in the same iteration takes" in report.declined[0].why


@pytest.mark.parametrize(
    ("target", "test"), [("sm_60", "vote.sync.any.pred"), ("sm_70", "match.all.sync.b32"), ("sm_90a", "match.all.sync")]
)
def test_the_test_for_one_iteration_is_one_for_all_shuffles(target: str, test: str) -> None:
    text = Case(_ALTERNATING.format(third="ld.global.f32 %f3, [%d1+8];\n    use %f3;"), target=target).synthesise().text
    assert text.count("shfl.sync.down") == 2
    assert text.count(test) == text.count("activemask") == 1


@pytest.mark.parametrize(
    ("grow", "place", "bits"),
    [
        ("add.s32 %r9, %r9, 8;", "mul.wide.u32 %d1, %r9, 4;", 32),
        ("add.s32 %r9, %r9, 8;", "mul.wide.u32 %d1, %r1, 32;", 32),
        ("add.s64 %d9, %d9, 32;", "mov.u64 %d1, %d9;", 64),
        ("add.s64 %d9, %d9, 8;", "shl.b64 %d1, %d9, 2;", 64),
        ("add.s64 %d9, %d9, 32;", "shr.u64 %d1, %d9, 2; cvt.u32.u64 %r8, %d1; cvt.u64.u32 %d1, %r8; "
                                  "shl.b64 %d1, %d1, 2;", 64),
        ("add.s64 %d9, %d9, 32;", "cvt.u32.u64 %r8, %d9; cvt.u64.u32 %d1, %r8;", 32),
    ],
)  # fmt: skip
def test_iterations_are_counted_in_as_many_bits_as_matter(grow: str, place: str, bits: int) -> None:
    """A counter of 32 bits may wrap round, and so does all that depends on its low 32 bits."""
    text = _ALTERNATING.format(third="").replace("mul.wide.u32 %d1, %r1, 32;", place)
    body = "mov.u32 %r9, 0;\nmov.u64 %d9, 0;" + text.replace("M:\n", f"M:\n    {grow}\n")
    made = Case(body).synthesise()
    assert made.kernels[0].shuffles == 1
    counted = re.findall(r"add\.s(\d\d) (%lw_[rd])(\d+), \2\3, 1;", made.text)
    assert [found[:2] for found in counted] == [(str(bits), "%lw_d" if bits == 64 else "%lw_r")]


# -- the limit of the analysis -----------------------------------------------------------------------------------------


def test_a_limit_counts_work_and_not_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow clock changes nothing; a kernel of too many steps is left, always at the same place."""
    ticks = iter(range(0, 10**9, 1000))
    monkeypatch.setattr("time.monotonic", lambda: float(next(ticks)))
    assert TWO.synthesise().kernels[0].shuffles == 1
    monkeypatch.setattr(emulator, "MOST_WORK", 20)
    places = {_declined(TWO) for _ in range(3)}
    ((_, why),) = places
    assert why == "the analysis takes more than 20 steps"
