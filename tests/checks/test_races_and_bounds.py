# SPDX-License-Identifier: Apache-2.0
"""Races beside accesses out of bounds: an access that is left out races with nothing, the others of its line do."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void beyond(int *out) {
    __shared__ int rows[2][32];
    rows[1][threadIdx.x] = 1;
    out[threadIdx.x] = rows[0][threadIdx.x + 1];
}
__global__ void beyond_own(int *out) {
    __shared__ int first[32], second[32];
    first[threadIdx.x ^ 1] = 1;
    second[threadIdx.x ^ 1] = 2;
    out[threadIdx.x] = first[(threadIdx.x ^ 1) + 32] + second[(threadIdx.x ^ 1) - 32];
}
__global__ void partly(int *out) {
    __shared__ int line[32];
    line[threadIdx.x] = threadIdx.x + 100;
    out[threadIdx.x] = line[threadIdx.x + 1];
}
__global__ void partly_outer(int *out) {
    out[threadIdx.x] = threadIdx.x + 100;
    if (out[(int)threadIdx.x - 1] == 77) out[0] = 3;
}
"""
TOLD = {
    "beyond": {("index", "rows")},
    "beyond_own": {("index", "first"), ("index", "second")},
    "partly": {("index", "line"), ("race", "line")},
    "partly_outer": {("out of bounds", "out"), ("race", "out")},
}


def told(module: lw.Module, kernel: str, device: str) -> set[tuple[str, str]]:
    with pytest.raises(lw.CheckError) as caught:
        module[kernel].launch(1, 32, (np.zeros(32, np.int32),), device=device)
    return {(each.kind, each.name) for each in caught.value.faults}


@pytest.mark.parametrize("mapping", ["lanes", "loop", "threads"])
def test_what_is_left_out_races_with_nothing(mapping: str) -> None:
    module = lw.compile(SOURCE, checked=["memory", "races"], mapping=mapping)
    assert {kernel: told(module, kernel, "cpu") for kernel in TOLD} == TOLD


def test_the_reference_device_tells_the_same() -> None:
    module = lw.compile(SOURCE, checked=["memory", "races"])
    assert {kernel: told(module, kernel, "reference") for kernel in TOLD} == TOLD
