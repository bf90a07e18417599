# SPDX-License-Identifier: Apache-2.0
"""Counters of control flow against theory, to the unit: each kernel's counts are derived beside it.

A warp executes an instruction if one of its lanes does. Lanes that part run one way after the other, and are together
again where the ways meet.
"""

import numpy as np
import pytest

import lanewise as lw

from .ptx_kernels import HEAD_INSTRUCTIONS, module

FUNCTION = """
.func (.reg .u32 %result) twice(.reg .u32 %value) {
    .reg .pred %q;
    setp.gt.u32 %q, %value, 40;
    @%q exit;
    add.u32 %result, %value, %value;
    ret;
}
"""
ADD = "add.u32 %n, %n, 1;"
# name -> body, block, and of one block: warp instructions behind HEAD, without `ret`; their lanes; branches; divergent
CASES = {
    # 2 warps; setp and bra by all, one add by the warp with lanes below 32 only: no warp parts
    "whole warps decide alike": (
        f"setp.ge.u32 %p0, %t, 32;\n@%p0 bra END;\n{ADD}\nEND:", 64, (2 + 2 + 1, 64 + 64 + 32, 2, 0)
    ),
    # lanes 0 to 9 of the first warp go through
    "a warp parts": (f"setp.ge.u32 %p0, %t, 10;\n@%p0 bra END;\n{ADD}\nEND:", 64, (2 + 2 + 1, 64 + 64 + 10, 2, 1)),
    # both arms by each warp: and, setp, bra; add, bra by the odd lanes; add by the even ones
    "two arms": (
        f"""
    and.b32 %r1, %t, 1;
    setp.eq.u32 %p0, %r1, 0;
    @%p0 bra EVEN;
    {ADD}
    bra END;
EVEN:
    add.u32 %n, %n, 2;
END:""",
        64, (2 * 3 + 2 * 2 + 2, 64 * 3 + 32 * 2 + 32, 2 + 2, 2),
    ),
    # lane l goes round l % 4 + 1 times: each warp 4 times; lanes 32 + 24 + 16 + 8 in all; it parts in 3 of 4 turns
    "loops of different length": (
        f"""
    and.b32 %r1, %t, 3;
    mov.u32 %i, 0;
LOOP:
    {ADD}
    add.u32 %i, %i, 1;
    setp.le.u32 %p0, %i, %r1;
    @%p0 bra LOOP;""",
        64, (2 * 2 + 2 * 4 * 4, 64 * 2 + 2 * 80 * 4, 2 * 4, 2 * 3),
    ),
    # the guard is true in 20 lanes: one warp instruction for each warp, 20 lanes in the first
    "a guard": (f"setp.lt.u32 %p0, %t, 20;\n@%p0 {ADD}", 64, (2 + 2, 64 + 20, 0, 0)),
    # a false guard everywhere is executed all the same
    "a false guard": (f"setp.gt.u32 %p0, %t, 99;\n@%p0 {ADD}", 64, (2 + 2, 64 + 0, 0, 0)),
    # 40 threads: a warp of 32 and one of 8
    "a block that no warp fills": (ADD, 40, (2, 40, 0, 0)),
    # 48 of 64 threads leave; the add behind is by lanes 48 to 63 of the second warp. The last `ret` is theirs, too
    "an early return": (f"setp.lt.u32 %p0, %t, 48;\n@%p0 ret;\n{ADD}", 64, (2 + 2 + 1 - 1, 64 + 48 + 16 - 48, 0, 0)),
    # a nest: lanes below 16, and of these below 8
    "branches within branches": (
        f"""
    setp.ge.u32 %p0, %t, 16;
    @%p0 bra END;
    {ADD}
    setp.ge.u32 %p1, %t, 8;
    @%p1 bra END;
    {ADD}
END:""",
        64, (2 * 2 + 3 + 1, 128 + 16 * 3 + 8, 2 + 1, 2),
    ),
    # brx: thread t goes to target t % 2; each of the two targets by both warps
    "a branch to one of many": (
        f"""
    and.b32 %r1, %t, 1;
TARGETS: .branchtargets A, B;
    brx.idx %r1, TARGETS;
A:
    {ADD}
    bra END;
B:
    {ADD}
END:""",
        64, (2 * 2 + 2 * 2 + 2, 128 + 64 + 32, 2 + 2, 0),
    ),
    # the sum of four turns of all, with a barrier in each
    "barriers in a loop": (
        """
    mov.u32 %i, 0;
LOOP:
    bar.sync 0;
    add.u32 %i, %i, 1;
    setp.lt.u32 %p0, %i, 4;
    @%p0 bra LOOP;""",
        64, (2 + 2 * 4 * 4, 64 + 64 * 4 * 4, 2 * 4, 0),
    ),
}  # fmt: skip


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("name", CASES)
def test_branches_and_loops(name: str, device: str):
    body, block, (instructions, lanes, branches, divergent) = CASES[name]
    profile = lw.compile(module(f"mov.u32 %n, 0;\n{body}"), language="ptx")["k"].profile(
        3, block, (0, 0), device=device
    )
    warps, around = -(-block // 32), HEAD_INSTRUCTIONS + 2  # HEAD, the first `mov`, `ret`
    assert profile.counters["warp_instructions"] == 3 * (around * warps + instructions)
    assert profile.counters["thread_instructions"] == 3 * (around * block + lanes)
    assert (profile.counters["branches"], profile.counters["divergent_branches"]) == (3 * branches, 3 * divergent)
    assert profile.counters["barriers"] == (3 * 2 * 4 if "barriers" in name else 0)


def test_threads_that_end_in_a_function():
    """41 threads come back from `twice`, those up to 40; the others end there, and still count."""
    text = module("call (%r1), twice, (%t);\nadd.u32 %n, %r1, 1;").replace(".visible", f"{FUNCTION}.visible", 1)
    profile = lw.compile(text, language="ptx")["k"].profile(1, 64, (0, 0))
    assert profile.counters["warp_instructions"] == 2 * (HEAD_INSTRUCTIONS + 1) + 2 * 4 + 2 * 2
    # setp by all; exit by 23; add and ret by 41; then add and ret in the kernel
    assert profile.counters["thread_instructions"] == 64 * (HEAD_INSTRUCTIONS + 1) + 64 + 23 + 41 * 2 + 41 * 2


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_generic_addresses(device: str):
    """Even threads store to shared memory, odd ones to global memory, by one instruction."""
    body = """
    and.b32 %r1, %t, 1;
    setp.eq.u32 %p0, %r1, 0;
    mul.wide.u32 %a, %t, 4;
    mov.u64 %b, s;
    cvta.shared.u64 %b, %b;
    selp.b64 %b, %b, %in, %p0;
    add.u64 %a, %a, %b;
    st.u32 [%a], %t;"""
    buffer = lw.zeros(64, np.uint32, device=device)
    profile = lw.compile(module(body), language="ptx")["k"].profile(1, 64, (0, buffer), device=device)
    assert (np.asarray(buffer) == np.where(np.arange(64) % 2, np.arange(64), 0)).all()
    found = {name: count for name, count in profile.counters.items() if "store" in name}
    assert found == {
        "global_store_requests": 2, "global_store_sectors": 8, "global_store_ideal_sectors": 4,  # 16 words of 32
        "shared_store_requests": 2, "shared_store_wavefronts": 2, "shared_store_ideal_wavefronts": 2,
    }  # fmt: skip


def test_accesses_from_one_base():
    """Loads at offsets from a register are counted once together where they cost the same, and each has its cost."""
    body = """
    mul.wide.u32 %a, %t, 4;
    add.u64 %a, %a, %in;
    ld.global.u32 %r1, [%a];        // 4
    ld.global.u32 %r2, [%a+4];      // 5
    ld.global.u32 %r3, [%a+32];     // 4
    ld.global.u32 %r4, [%a+36];     // 5
    add.u64 %a, %a, 16;
    ld.global.u32 %r5, [%a];        // 5
    ld.global.u32 %r6, [%a+48];     // 4
"""
    profile = lw.compile(module(body), language="ptx")["k"].profile(1, 32, (0, lw.zeros(256, np.uint32)))
    loads = [line for line in profile.lines if "ld.global" in line.text]
    assert [line.counters["global_load_sectors"] for line in loads] == [int(line.text[-1]) for line in loads]


def test_copies_to_shared_memory():
    body = """
    mul.wide.u32 %a, %t, 32;
    add.u64 %a, %a, %in;
    mul.lo.u32 %r1, %t, 16;
    mov.u32 %r2, s;
    add.u32 %r2, %r2, %r1;
    cp.async.cg.shared.global [%r2], [%a], 16;
    cp.async.wait_all;"""
    profile = lw.compile(module(body), language="ptx")["k"].profile(1, 32, (0, lw.zeros(1024, np.uint8)))
    assert profile.counters["global_load_sectors"] == 32  # each thread has a sector of its own
    assert profile.counters["global_load_ideal_sectors"] == 16
    assert profile.counters["shared_store_wavefronts"] == profile.counters["shared_store_ideal_wavefronts"] == 4
