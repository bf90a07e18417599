# SPDX-License-Identifier: Apache-2.0
"""Barriers with numbers, of some threads, and those that threads only arrive at."""

from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

from .computing import DEVICES, device_for, module

ALL = (*DEVICES, "simt")

RING = """
.reg .pred %p, %q; .reg .b64 %rd<3>; .reg .b32 %r<12>; .shared .align 4 .b32 buf[64];
ld.param.u64 %rd1, [y]; ld.param.u32 %r9, [n];
mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ntid.x; mad.lo.u32 %r1, %r2, %r3, %r1;
mov.u32 %r8, buf; mov.u32 %r4, 0;
setp.ge.u32 %p, %r1, 64;
@%p bra CONSUME;
PRODUCE:
bar.sync 2, 128;
mad.lo.u32 %r5, %r4, 100, %r1; mad.lo.u32 %r6, %r1, 4, %r8; st.shared.u32 [%r6], %r5;
bar.arrive 1, 128;
add.u32 %r4, %r4, 1; setp.lt.u32 %q, %r4, %r9; @%q bra PRODUCE;
ret;
CONSUME:
barrier.cta.arrive.aligned 2, 128;
barrier.sync 1, 128;
sub.u32 %r7, 127, %r1; mad.lo.u32 %r6, %r7, 4, %r8; ld.shared.u32 %r5, [%r6];
mad.lo.u32 %r10, %r4, 64, %r1; sub.u32 %r10, %r10, 64; mad.wide.u32 %rd2, %r10, 4, %rd1; st.global.u32 [%rd2], %r5;
add.u32 %r4, %r4, 1; setp.lt.u32 %q, %r4, %r9; @%q bra CONSUME;
"""
"""Two warps fill a buffer again and again, and two others empty it."""


@pytest.mark.parametrize("device", ALL)
@pytest.mark.parametrize("block", [(128, 1), (8, 16)])
def test_producers_and_consumers(device: str, block: tuple[int, int]):
    made = module(RING, (".u64 y", ".u32 n"))
    y = np.zeros((5, 64), np.uint32)
    made["k"].launch(1, block, (y, 5), device=device_for(device))
    assert (y == [[100 * turn + 63 - t for t in range(64)] for turn in range(5)]).all()


def test_code_for_any_block_size(tmp_path: Path):
    made = module(RING, (".u64 y", ".u32 n"))
    made.save(tmp_path / "ring.lwm")
    y = np.zeros((3, 64), np.uint32)
    lw.load(tmp_path / "ring.lwm")["k"].launch(1, (16, 8), (y, 3))
    assert (y == [[100 * turn + 63 - t for t in range(64)] for turn in range(3)]).all()


@pytest.mark.parametrize("device", ALL)
def test_reductions_of_halves_of_a_block(device: str):
    """Warps 0 and 1 reduce at barrier 3, warps 2 to 4 at barrier 4 by a register; then all meet, from two places."""
    made = module(
        """
.reg .pred %p, %all, %any, %high; .reg .b64 %rd; .reg .b32 %t, %n, %id, %count, %a, %b, %all_of_them;
ld.param.u64 %rd, [y]; mov.u32 %t, %tid.x; mad.wide.u32 %rd, %t, 16, %rd;
setp.lt.u32 %p, %t, 50;
setp.ge.u32 %high, %t, 64; selp.u32 %id, 4, 3, %high; selp.u32 %count, 96, 64, %high;
@%high bra HIGH;
bar.red.popc.u32 %n, 3, 64, %p; bar.red.and.pred %all, 3, 64, !%p; bar.red.or.pred %any, 3, 64, %p;
barrier.sync 0;
bra DONE;
HIGH:
barrier.red.popc.aligned.u32 %n, %id, %count, %p; barrier.red.and.pred %all, %id, %count, !%p;
barrier.red.or.pred %any, %id, %count, %p;
bar.sync 0;
DONE:
bar.red.popc.u32 %all_of_them, 0, %p;
selp.u32 %a, 1, 0, %all; selp.u32 %b, 1, 0, %any;
st.global.v4.u32 [%rd], {%n, %a, %b, %all_of_them};
""",
        (".u64 y",),
    )
    y = np.zeros((150, 4), np.uint32)
    made["k"].launch(1, 150, (y,), device=device_for(device))
    assert (y == [[50, 0, 1, 50]] * 64 + [[0, 1, 0, 50]] * 86).all()


@pytest.mark.parametrize("device", ALL)
def test_a_barrier_of_all_waits_for_those_that_have_not_ended(device: str):
    made = module(
        """
.reg .pred %p; .reg .b64 %rd; .reg .b32 %t, %n;
ld.param.u64 %rd, [y]; mov.u32 %t, %tid.x; mad.wide.u32 %rd, %t, 4, %rd;
setp.lt.u32 %p, %t, 32; @!%p bra WAIT;
bar.arrive 1, 64;
ret;
WAIT:
setp.lt.u32 %p, %t, 64; @!%p bra MEET;
bar.sync 1, 64;
MEET:
setp.eq.u32 %p, %t, %t;
bar.red.popc.u32 %n, 0, %p; st.global.u32 [%rd], %n;
""",
        (".u64 y",),
    )
    y = np.zeros(96, np.uint32)
    made["k"].launch(2, 96, (y,), device=device_for(device))
    assert y.tolist() == [0] * 32 + [64] * 64


@pytest.mark.parametrize("device", ALL)
def test_lanes_that_arrive_one_arm_after_the_other(device: str):
    """Without .aligned the lanes of a warp may come from several places."""
    made = module(
        """
.reg .pred %p; .reg .b64 %rd; .reg .b32 %t, %lane, %n; .shared .u32 value;
ld.param.u64 %rd, [y]; mov.u32 %t, %tid.x; mad.wide.u32 %rd, %t, 4, %rd;
setp.lt.u32 %p, %t, 32; @!%p bra WAIT;
setp.lt.u32 %p, %t, 16; @%p bra LOW;
barrier.arrive 5, 64;
ret;
LOW:
setp.eq.u32 %p, %t, 3; @%p st.shared.u32 [value], 77;
membar.cta;
barrier.arrive 5, 64;
ret;
WAIT:
barrier.sync 5, 64;
ld.shared.u32 %n, [value]; st.global.u32 [%rd], %n;
""",
        (".u64 y",),
    )
    y = np.zeros(64, np.uint32)
    made["k"].launch(1, 64, (y,), device=device_for(device))
    assert y.tolist() == [0] * 32 + [77] * 32


@pytest.mark.parametrize("device", ["cpu", "simt"])  # on the reference device they wait at barriers only
def test_warps_that_wait_for_a_flag_in_shared_memory(device: str):
    """The first warp waits for the last one, which runs after it."""
    made = module(
        """
.reg .pred %p; .reg .b64 %rd; .reg .b32 %t, %n; .shared .u32 flag;
ld.param.u64 %rd, [y]; mov.u32 %t, %tid.x;
setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [flag], 0;
bar.sync 0;
setp.lt.u32 %p, %t, 96; @!%p bra SET;
bar.sync 1, 96;
AGAIN:
ld.volatile.shared.u32 %n, [flag]; setp.eq.u32 %p, %n, 0; @%p bra AGAIN;
mad.wide.u32 %rd, %t, 4, %rd; st.global.u32 [%rd], %n;
ret;
SET:
mov.u32 %n, 5; st.volatile.shared.u32 [flag], %n;
""",
        (".u64 y",),
    )
    y = np.zeros(128, np.uint32)
    made["k"].launch(1, 128, (y,), device=device_for(device))
    assert y.tolist() == [5] * 96 + [0] * 32


@pytest.mark.parametrize("device", DEVICES)
def test_inline_assembly(device: str):
    made = lw.compile(
        """
__global__ void k(int *out) {
    __shared__ int buffer[64];
    int i = threadIdx.x % 64;
    if (threadIdx.x < 64) {
        buffer[i] = 3 * i;
        asm volatile("bar.arrive %0, %1;" :: "r"(1), "n"(128) : "memory");
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        out[i] = buffer[63 - i];
    }
    __syncthreads();
    if (threadIdx.x == 0) out[64] = out[63] + 1;
}
""",
        language="cuda",
    )
    out = np.zeros(65, np.int32)
    made["k"].launch(1, 128, (out,), device=device_for(device))
    assert out.tolist() == [3 * (63 - i) for i in range(64)] + [1]


WRONG = {
    "bar.sync 2, 96;": r"barrier 2: no warp of the block can go on, and of 96 threads that it waits for, 64 have come",
    "bar.sync 2, %three;": r"barrier 2: the count 3 is no positive multiple of 32, the size of a warp",
    "bar.sync %seventeen, 64;": r"barrier 17: a block has barriers 0 to 15",
    "setp.lt.u32 %p, %t, 32; @%p bra LESS; bar.sync 2, 96; bra END; LESS: bar.sync 2, 64; END:": (
        r"barrier 2: warps come to it with counts of (64 and 96|96 and 64) threads \(0: all\)"
    ),
}


@pytest.mark.parametrize("device", ALL)
@pytest.mark.parametrize("code", WRONG)
def test_barriers_that_cannot_be_completed(device: str, code: str):
    made = module(
        f""".reg .pred %p; .reg .b32 %t, %three, %seventeen; mov.u32 %t, %tid.x;
ld.param.u32 %three, [three]; add.u32 %seventeen, %three, 14;
{code}""",
        (".u32 three",),
    )
    with pytest.raises(lw.LaunchError, match=WRONG[code]) as caught:
        made["k"].launch((2, 1), 64, (3,), device=device_for(device))
    text = str(caught.value)
    assert "kernel k" in text
    assert "block (0, 0, 0)" in text or "block (1, 0, 0)" in text
    assert "<source>:" in text


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("bar.sync 16;", "bar.sync: barrier 16 is none of 0 to 15"),
        ("bar.sync 1, 40;", "bar.sync: the count 40 is no positive multiple of 32, the size of a warp"),
        ("barrier.arrive 1;", "barrier.arrive: it has no number of threads, which arriving needs"),
    ],
)
def test_refusals(code: str, message: str):
    with pytest.raises(lw.CompileError) as caught:
        module(code)["k"]
    assert message in str(caught.value)
    assert "<source>:7:1: " in str(caught.value)


@pytest.mark.parametrize("device", ALL)
def test_barriers_by_number_in_cuda(device: str):
    source = """
__global__ void k(int *y) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 64) { s[t] = 3 * t; __barrier_sync_count(1, 64); y[t] = s[63 - t]; }
    __barrier_sync(2);
    if (t == 95) y[0] = -1;
}
"""
    y = np.zeros(64, np.int32)
    lw.compile(source, language="cuda", arch="sm_80")["k"].launch(1, 96, (y,), device=device_for(device))
    assert y.tolist() == [-1, *range(186, -1, -3)]
