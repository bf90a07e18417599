# SPDX-License-Identifier: Apache-2.0
"""The choice between lanes and a loop for loops that work-items leave at different times, and what is told of it."""

import re

import pytest

import lanewise as lw

SOURCE = """
__global__ void search_of_bytes(int *found, const unsigned char *text, int n) {
    int i = threadIdx.x;
    for (int back = 1; back < n; back++) {
        int length = 0;
        while (length < n && text[i + length] == text[i - back + length]) length++;
        if (length > found[i]) found[i] = length;
        if (length == n) break;
    }
}
__global__ void arithmetic(int *rounds, const float *x, int n) {
    int i = threadIdx.x, round = 0;
    for (float a = x[i], b = 0; round < n && a * a + b * b < 4; round++) {
        float c = a * a - b * b + x[i];
        b = 2 * a * b + 0.1f;
        a = c;
    }
    rounds[i] = round;
}
__global__ void atomic(int *sums, const int *x, int n) {
    for (int k = x[threadIdx.x]; k < n; k = k * 3 + 1) atomicAdd(&sums[k & 7], k);
}
__global__ void counted(float *y, const float *x, const int *ends) {
    float sum = 0;
    for (int k = 0; k < ends[threadIdx.x]; k++) sum = sum * x[threadIdx.x] + 1;
    y[threadIdx.x] = sum;
}
__global__ void strided(float *y, const float *x, int n) {
    for (int k = threadIdx.x; k < n; k += blockDim.x) y[k] = x[k] * 2;
}
"""
TOLD = r"; predicted to take 0\.\d\d of the time of a loop over threads$"


def _remark(name: str, mapping: str = "auto") -> str:
    return lw.compile(SOURCE, language="cuda", mapping=mapping)[name].remarks(64)[0]


@pytest.mark.parametrize("name", ["search_of_bytes", "atomic"])
def test_what_lanes_do_one_by_one_is_a_loop(name: str):
    because = r"a loop over threads, because of loops left at different times, in lanes predicted to take \d+\.\d times"
    assert re.search(because, _remark(name))
    assert "lanes" in _remark(name, "lanes").partition(";")[0]


@pytest.mark.parametrize("name", ["arithmetic", "counted"])
def test_arithmetic_stays_in_lanes(name: str):
    assert re.search(r"\d lanes", _remark(name))
    assert re.search(TOLD, _remark(name))


def test_loops_of_nearly_the_same_length_are_not_asked_about():
    assert "predicted" not in _remark("strided")
