# SPDX-License-Identifier: Apache-2.0
"""Accesses of one work-item in a loop that LLVM vectorises: they keep their order where they may touch each other."""

from typing import Any

import numpy as np
import pytest

import lanewise as lw

ITEMS = 64
T = np.arange(ITEMS, dtype=np.uint32)
Numbers = np.ndarray[Any, np.dtype[Any]]

SOURCE = """
extern "C" __global__ void stores_around_a_load(uint2 *p, int k) {
    unsigned t = threadIdx.x, *q = (unsigned *)p;
    p[t].x = t + 1;
    p[t].y = 100 * q[2 * t + (t & k)];
}
extern "C" __global__ void loads_around_a_store(uint2 *p, int k) {
    unsigned t = threadIdx.x, *q = (unsigned *)p;
    unsigned x = p[t].x;
    q[2 * t + (t & k)] = t + 7;
    p[t].y = p[t].y * 3 + x;
}
extern "C" __global__ void under_a_condition(uint2 *p, int k) {
    unsigned t = threadIdx.x, *q = (unsigned *)p, sum = 0;
    p[t].x = t + 1;
    if (t & 2) sum = q[2 * t + (t & k)];
    p[t].y = sum;
}
extern "C" __global__ void through_two_arguments(uint2 *p, unsigned *q, int k) {
    unsigned t = threadIdx.x;
    p[t].x = t + 1;
    p[t].y = 100 * q[2 * t + (t & k)];
}
extern "C" __global__ void in_private_memory(uint2 *p, int k) {
    unsigned t = threadIdx.x;
    union { uint2 pair; unsigned words[2]; } u;
    u.words[k] = 9;
    u.pair.x = t + 1;
    u.pair.y = 100 * u.words[t & k];
    p[t] = u.pair;
}
extern "C" __global__ void apart(uint2 *__restrict__ p, const uint2 *__restrict__ q) {
    unsigned t = threadIdx.x;
    p[t].x = q[t].x + 1;
    p[t].y = q[t].y + 2;
}
extern "C" __global__ void in_shared_memory(uint2 *p, const unsigned *q) {
    __shared__ uint2 s[64];
    unsigned t = threadIdx.x;
    s[t].x = q[2 * t];
    s[t].y = q[2 * t + 1];
    __syncthreads();
    p[t].x = s[t].y;
    p[t].y = s[t].x;
}
"""


def _pairs(x: Numbers, y: Numbers) -> Numbers:
    return np.stack([x, y], axis=1).astype(np.uint32).reshape(-1)


def _start() -> Numbers:
    return np.arange(1000, 1000 + 2 * ITEMS, dtype=np.uint32)


X, Y = _start()[::2], _start()[1::2]
ODD = T % 2 == 1
EXPECTED: dict[str, Numbers] = {
    "stores_around_a_load": _pairs(T + 1, 100 * np.where(ODD, Y, T + 1)),
    "loads_around_a_store": _pairs(np.where(ODD, X, T + 7), np.where(ODD, T + 7, Y) * 3 + X),
    "under_a_condition": _pairs(T + 1, np.where(T & 2, np.where(ODD, Y, T + 1), 0)),
    "through_two_arguments": _pairs(T + 1, 100 * np.where(ODD, Y, T + 1)),
}


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda", mapping="loop")


@pytest.mark.parametrize("kernel", EXPECTED)
def test_accesses_of_overlapping_views_keep_their_order(module: lw.Module, kernel: str):
    p = _start()
    module[kernel][1, ITEMS](p, *([p] if kernel == "through_two_arguments" else []), 1)
    assert p.tolist() == EXPECTED[kernel].tolist()


def test_views_of_private_memory_keep_their_order(module: lw.Module):
    p = np.zeros(2 * ITEMS, np.uint32)
    module["in_private_memory"][1, ITEMS](p, 1)
    assert p.tolist() == _pairs(T + 1, np.where(ODD, 900, 100 * (T + 1))).tolist()


def test_saved_modules_keep_the_order_too(module: lw.Module, tmp_path: Any):
    module.save(tmp_path / "order.lwo")
    saved = lw.load(tmp_path / "order.lwo")
    p = _start()
    saved["stores_around_a_load"][1, ITEMS](p, 1)
    assert p.tolist() == EXPECTED["stores_around_a_load"].tolist()


def test_accesses_that_never_touch_are_left_alone(module: lw.Module):
    def has_zero(kernel: str) -> bool:
        return "asm" in module.ir("work-group", kernel, block=ITEMS)

    assert has_zero("stores_around_a_load")
    assert not has_zero("apart")
    p, q = np.zeros(2 * ITEMS, np.uint32), _start()
    module["apart"][1, ITEMS](p, q)
    assert p.tolist() == _pairs(X + 1, Y + 2).tolist()


def test_arguments_are_apart_from_shared_memory(module: lw.Module):
    """Both regions have stores between loads; those to `p`, which may be `s` as little as `q` may."""
    assert "asm" not in module.ir("work-group", "in_shared_memory", block=ITEMS)
    p = np.zeros(2 * ITEMS, np.uint32)
    module["in_shared_memory"][1, ITEMS](p, _start())
    assert p.tolist() == _pairs(Y, X).tolist()
