# SPDX-License-Identifier: Apache-2.0
"""Loops that sleep while they wait for other threads, as those of libcu++ do, which look at a clock between."""

import numpy as np

import lanewise as lw

from .computing import HEADER

SOURCE = (
    HEADER
    + """
.visible .entry wait(.param .u64 y) {
.reg .pred %p; .reg .b32 %r<5>; .reg .b64 %rd<6>; .shared .align 4 .b32 flag;
ld.param.u64 %rd1, [y];
mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
setp.eq.u32 %p, %r1, 0; mov.u32 %r2, 0; @%p st.shared.u32 [flag], %r2;
bar.sync 0;
setp.ne.u32 %p, %r1, 40; @%p bra BEGIN;
mov.u32 %r2, 7; atom.shared.exch.b32 %r3, [flag], %r2;
BEGIN:
mov.u64 %rd3, %globaltimer;
WAIT:
ld.acquire.cta.shared.b32 %r4, [flag];
setp.ne.u32 %p, %r4, 0; @%p bra DONE;
mov.u64 %rd4, %globaltimer; sub.u64 %rd4, %rd4, %rd3; setp.lt.u64 %p, %rd4, 40000; @%p bra WAIT;
nanosleep.u32 1000;
bra WAIT;
DONE:
st.global.u32 [%rd1], %r4;
ret;
}
"""
)
"""All threads wait for one in the middle of the second warp."""


def test_a_thread_that_sleeps_lets_others_go_on():
    y = np.zeros(64, np.int32)
    lw.compile(SOURCE, language="ptx", mapping="threads")["wait"].launch(1, 64, (y,), timeout=10)
    assert (y == 7).all()


def test_sleeping_is_part_of_the_ptx_that_is_written():
    assert "nanosleep.u32 \t1000;" in lw.compile(SOURCE, language="ptx").ptx(arch="sm_90")
