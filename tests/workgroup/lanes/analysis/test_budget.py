# SPDX-License-Identifier: Apache-2.0
"""Kernels whose lane code would be too large get a cheaper layout, or a loop, and a remark that names size and rule."""

from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.cache import Cache
from lanewise.device.cpu import CpuDevice
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.workgroup.lanes.analysis import budget
from lanewise.workgroup.lanes.analysis.budget import Budget, TooLarge
from lanewise.workgroup.mapping import mapping_of

SOURCE = """__global__ void k(unsigned *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { unsigned x = p[i]; if (x & 1) x = x * 3 + p[i + n]; p[i] = x; }
}"""


def _remark(mapping: str = "auto") -> str:
    module = lw.compile(SOURCE, language="cuda")
    function = compile_for_cpu(module.ir(), "_Z1kPji", (256, 1, 1), mapping=mapping_of(mapping))
    return function.facts.remarks[0]


def test_ordinary_code_is_within_the_bound():
    assert "its size" not in _remark()


@pytest.mark.parametrize(
    ("most", "expected"),
    [(60, "one version, because of its size: more than 60"), (10, "a loop over work-items, because of its size: more")],
)
def test_larger_code_gets_a_cheaper_layout(monkeypatch: pytest.MonkeyPatch, most: int, expected: str):
    monkeypatch.setattr(budget, "ALWAYS", most)
    monkeypatch.setattr(budget, "EACH", 0)
    assert expected in _remark()
    assert "its size" not in _remark("lanes:8x2")


def test_regions_share_the_bound(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(budget, "ALWAYS", 100)
    spent = Budget(10)
    spent.check(130)
    spent.spend(120)
    with pytest.raises(TooLarge, match="more than 130 instructions in lanes for 10 of a work-item"):
        spent.check(11)


IN_STEP = """__global__ void k(float *p, int n) {
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? p[i] : 0;
    __syncthreads();
    s[t] += s[t ^ 16];
    s[t] += s[t ^ 8];
    if (i < n) p[i] = s[t];
}"""


@pytest.mark.parametrize("most", [0, 100])
def test_warps_in_step_stay_in_lanes_but_in_one_version(monkeypatch: pytest.MonkeyPatch, most: int):
    ir = lw.compile(IN_STEP, language="cuda").ir()
    whole = "; ".join(compile_for_cpu(ir, "_Z1kPfi", None).facts.remarks)
    monkeypatch.setattr(budget, "ALWAYS", most)
    monkeypatch.setattr(budget, "EACH", 0)
    bounded = "; ".join(compile_for_cpu(ir, "_Z1kPfi", None).facts.remarks)
    assert "one version" not in whole
    assert f"one version, because of its size: more than {most}" in bounded


VOLATILE = """__global__ void k(float *p, int n) {
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? p[i] : 0;
    __syncthreads();
    volatile float *v = s;
    v[t] += v[t ^ 16];
    v[t] += v[t ^ 8];
    if (i < n) p[i] = v[t];
}"""


def _device(specialise: bool) -> CpuDevice:
    """A device that keeps no code, with the threads of the usual one."""
    device = CpuDevice(Cache(None), 2, specialise)
    usual: Any = lw.device("cpu")
    device._pool = usual.pool()
    return device


def _expected(x: np.ndarray, source: str) -> np.ndarray:
    """The result if each warp does one step after the other. LLVM drops the first store, unless it is volatile."""
    t = np.arange(32)
    s = x.reshape(-1, 32)
    first = s + s[:, t ^ 16]
    return (first + (first if source is VOLATILE else s)[:, t ^ 8]).ravel()


@pytest.mark.parametrize(("source", "specialise"), [(IN_STEP, False), (VOLATILE, False), (VOLATILE, True)])
def test_warps_keep_lock_step_however_large_their_code_is(
    monkeypatch: pytest.MonkeyPatch, source: str, specialise: bool
):
    monkeypatch.setattr(budget, "ALWAYS", 0)
    monkeypatch.setattr(budget, "EACH", 0)
    x = np.arange(128, dtype=np.float32)
    expected = _expected(x, source)
    module = lw.compile(source, language="cuda")
    facts = compile_for_cpu(module.ir(), "_Z1kPfi", (64, 1, 1) if specialise else None).facts
    assert "one version, because of its size: more than 0" in "; ".join(facts.remarks)
    module["k"].launch(2, 64, (x, 128), device=_device(specialise))
    assert (x == expected).all()
