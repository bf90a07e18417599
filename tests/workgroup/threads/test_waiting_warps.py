# SPDX-License-Identifier: Apache-2.0
"""Warps in lock-step that wait for one another get a stack each, also where lock-step is what the kernel counts on; and
lanes of such a warp that wait for one another are told."""

import numpy as np
import pytest

import lanewise as lw

HEAD = """
extern "C" __global__ void k(int *p, int *flag, int n) {
    int t = threadIdx.x, lane = t & 31, warp = t >> 5, v = p[t];
"""
SHUFFLE = "v += __shfl_xor_sync(0xffffffff, v, 1);"
LOCK_STEP = "__shared__ volatile int f, w[64]; if (t == 0) f = 0; w[t] = t; __syncthreads();"

WAIT = {
    "in global memory": (
        "if (warp == 0) while (atomicAdd(flag, 0) == 0) __nanosleep(20); else if (lane == 0) atomicExch(flag, 1);"
        f"{SHUFFLE} p[t] = v;"
    ),
    "in shared memory": (
        "__shared__ int f; if (t == 0) f = 0; __syncthreads();"
        f"if (warp == 0) while (atomicAdd(&f, 0) == 0); else if (lane == 0) atomicExch(&f, 1); {SHUFFLE} p[t] = v;"
    ),
    "behind a shuffle": (
        f"{SHUFFLE} if (warp == 1 && lane == 3) atomicExch(flag, 1); while (*(volatile int *)flag == 0); p[t] = v;"
    ),
    "counting on lock-step": (
        f"{LOCK_STEP} if (warp == 0) while (f == 0); else if (lane == 0) f = 1; v += w[t ^ 1] ^ t ^ 1; p[t] = v;"
    ),
}
STAY = {
    "the first warp tells": (
        f"if (warp == 0) {{ if (lane == 0) atomicExch(flag, 1); }} else while (atomicAdd(flag, 0) == 0); {SHUFFLE}"
        "p[t] = v;"
    ),
    "below 32": (
        f"if (t < 32) {{ if (lane == 9) atomicExch(flag, 1); }} while (*(volatile int *)flag == 0); {SHUFFLE} p[t] = v;"
    ),
    "the same warp": (
        f"if (warp == 1) {{ while (atomicAdd(flag, 0) != blockIdx.x); {SHUFFLE} if (lane == 0) atomicAdd(flag, 1); }}"
        "p[t] = v;"
    ),
    "behind a barrier": (
        f"{SHUFFLE} while (*(volatile int *)flag < blockIdx.x); __syncthreads(); if (t == 40) atomicAdd(flag, 1);"
    ),
}


REMARK = "warps take turns"


def compiled(body: str) -> lw.Module:
    return lw.compile(f"{HEAD}{body}\n}}", language="cuda")


@pytest.mark.parametrize("body", WAIT.values(), ids=WAIT)
def test_warps_that_wait_get_on(body: str):
    module = compiled(body)
    through_ptx = lw.compile(module.ptx())
    assert REMARK in "".join(module["k"].remarks(64))
    assert REMARK not in "".join(module["k"].remarks(32))
    for kernel, device in ((module["k"], "cpu"), (module["k"], "simt"), (through_ptx["k"], "cpu")):
        p, flag = np.arange(64, dtype=np.int32), np.zeros(1, np.int32)
        kernel.launch(1, 64, (p, flag, 0), device=device, timeout=30)
        assert p.tolist() == ([t + (t ^ 1) for t in range(64)] if SHUFFLE in body else list(range(64)))


@pytest.mark.parametrize("body", STAY.values(), ids=STAY)
def test_others_share_a_stack(body: str):
    kernel = compiled(body)["k"]
    p, flag = np.arange(64, dtype=np.int32), np.zeros(1, np.int32)
    kernel.launch(1, 64, (p, flag, 0), device="cpu", timeout=30)
    assert REMARK not in "".join(kernel.remarks(64))


def test_two_flags_that_may_be_one():
    body = WAIT["in global memory"].replace("atomicExch(flag", "atomicExch(p")
    kernel = compiled(body)["k"]
    assert REMARK not in "".join(kernel.remarks(64))
    assert "taken to overlap no other array: flag" in "".join(kernel.remarks(64))
    flag = np.zeros(64, np.int32)
    kernel.launch(1, 64, (flag, flag, 0), device="cpu", timeout=30)


@pytest.mark.parametrize("timeout", [2, None])
def test_lanes_that_wait_in_lock_step_are_told(timeout: int | None, monkeypatch: pytest.MonkeyPatch):
    """Volta's lanes would get on; these are in lock-step for the volatile memory that they share."""
    monkeypatch.setenv("LANEWISE_WATCHDOG", "2")
    kernel = compiled(f"{LOCK_STEP} if (lane != 0) while (f == 0); else f = 1; p[t] = w[t ^ 1];")["k"]
    message = "longer than its timeout of 2.0 s" if timeout else "a value that no running thread will change"
    with pytest.raises(lw.LaunchError, match=message):
        kernel.launch(1, 64, (np.zeros(64, np.int32), np.zeros(1, np.int32), 0), device="cpu", timeout=timeout)


IRREDUCIBLE = """
__global__ void tangled(unsigned *out, const unsigned *in, unsigned *flag) {
    volatile __shared__ unsigned s[64];
    unsigned t = threadIdx.x, r = 0;
    s[t] = in[t];
    if (in[t] & 1) goto middle;
top:
    r += s[t];
middle:
    if (++r < (in[t] & 7)) goto top;
    __syncthreads();
    if (t < 32)
        while (atomicAdd(flag, 0) == 0) {}
    else
        atomicExch(flag, 1);
    out[t] = r + s[63 - t];
}
"""


def test_warps_that_wait_beside_cycles_that_are_no_loops():
    """Lanes can't go round such a cycle, and a loop over the threads of a warp can't wait for another warp."""
    given, out = np.arange(64, dtype=np.uint32) * 5, np.zeros(64, np.uint32)
    lw.compile(IRREDUCIBLE, language="cuda")["tangled"].launch(1, 64, (out, given, np.zeros(1, np.uint32)))
    expected = []
    for number in given.tolist():
        r = 1 if number & 1 else number + 1
        while r < (number & 7):
            r += number + 1
        expected.append(r)
    assert list(out) == list(np.array(expected, np.uint32) + given[::-1])
