# SPDX-License-Identifier: Apache-2.0
"""Flags that tell which way control flow came, and arms that mustn't change their order for want of one."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.llvm import LlvmModule
from lanewise.pipelines.flags import has_flags

MEETING = """
define i32 @f(i1 %which, i32 %x) {{
entry:
  br i1 %which, label %one, label %other
one:
  br label %both
other:
  br label %both
both:
  %flag = phi i32 [ {one}, %one ], [ {other}, %other ]
  {decision}
stay:
  ret i32 1
leave:
  ret i32 2
}}
"""
BY_COMPARISON = "%left = icmp eq i32 %flag, 0\n  br i1 %left, label %stay, label %leave"
BY_SWITCH = "switch i32 %flag, label %leave [ i32 0, label %stay ]"
BY_ANOTHER = "%left = icmp eq i32 %x, 0\n  br i1 %left, label %stay, label %leave"


@pytest.mark.parametrize(
    ("one", "other", "decision", "expected"),
    [
        ("1", "0", BY_COMPARISON, True),
        ("1", "0", BY_SWITCH, True),
        ("0", "0", BY_COMPARISON, False),
        ("%x", "0", BY_COMPARISON, False),
        ("1", "0", BY_ANOTHER, False),
    ],
)
def test_a_flag_has_different_constants_and_decides(one, other, decision, expected):
    assert has_flags(LlvmModule.parse(MEETING.format(one=one, other=other, decision=decision))) is expected


COUNTING = """
define void @f(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %i, 9
  br i1 %more, label %head, label %end
end:
  ret void
}
"""


def test_a_loop_counter_is_no_flag():
    assert not has_flags(LlvmModule.parse(COUNTING))


ARMS = """
__global__ void arms(unsigned *out, const unsigned *at) {
    __shared__ unsigned s[32];
    unsigned lane = threadIdx.x, x = 1;
    s[lane] = lane;
    __syncthreads();
    if (lane >= 17) x = s[(lane + at[0]) & 31];
    if (lane < 5) s[(lane + at[1]) & 31] = 100;
    out[lane] = x;
}
"""


def test_arms_that_exclude_each_other_stay_in_order():
    """A race by CUDA's rules; but a warp in lock-step reads before it writes."""
    out = np.zeros(32, np.uint32)
    lw.compile(ARMS, language="cuda")["arms"].launch(1, 32, (out, np.array([3, 20], np.uint32)), device="cpu")
    lanes = np.arange(32)
    np.testing.assert_array_equal(out, np.where(lanes >= 17, (lanes + 3) % 32, 1))
