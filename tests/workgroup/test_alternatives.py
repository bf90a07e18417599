# SPDX-License-Identifier: Apache-2.0
"""Kernels that may run by either of two mappings: python -m pytest tests/workgroup/test_alternatives.py"""

import functools

import pytest

import lanewise as lw
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.workgroup.lanes.analysis import budget, mapping_costs
from lanewise.workgroup.lanes.analysis.instruction_costs import AVX2
from lanewise.workgroup.launch_facts import LaunchFacts
from lanewise.workgroup.mapping import AGAINST_MODEL, AUTO, FIXED, Mapping, mapping_of

SOURCE = """
#include <cassert>
#include <cstdio>
__global__ void plain(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * 2; }
__global__ void barrier(float *y) {
    __shared__ float s[64];
    s[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void sums(int *y, const int *x) { atomicAdd(&y[x[threadIdx.x]], 1); atomicSub(&y[x[threadIdx.x] + 1], 2); }
__global__ void greatest(int *y, const int *x) { atomicMax(&y[x[threadIdx.x]], (int)threadIdx.x); }
__global__ void search(int *found, const unsigned char *text, int n) {
    int i = threadIdx.x;
    for (int back = 1; back < n; back++) {
        int length = 0;
        while (length < n && text[i + length] == text[i - back + length]) length++;
        if (length > found[i]) found[i] = length;
        if (length == n) break;
    }
}
template<bool LONG>
__device__ void search_and(int *found, const unsigned char *text, float *y, int n) {
    __shared__ int s[64];
    int i = threadIdx.x, length = 0;
    while (length < n && text[i * n + length] == text[i + length]) length++;
    s[i] = length;
    __syncthreads();
    float sum = s[63 - i];
    for (int k = 0; LONG && k < n; k++)
        for (int l = 0; l < n; l++)
            for (int m = 0; m < n; m++) sum = sum * sum + y[k * l + m];
    found[i] = sum;
}
__global__ void search_and_little(int *found, const unsigned char *text, float *y, int n) {
    search_and<false>(found, text, y, n);
}
__global__ void search_and_much(int *found, const unsigned char *text, float *y, int n) {
    search_and<true>(found, text, y, n);
}
__global__ void rows(float *y, const float *values, const int *columns, const int *starts, const float *x) {
    float sum = 0;
    for (int k = starts[threadIdx.x]; k < starts[threadIdx.x + 1]; k++) sum += values[k] * x[columns[k]];
    y[threadIdx.x] = sum;
}
__global__ void rows_and_much(float *y, const float *values, const int *columns, const int *starts, const float *x) {
    __shared__ float s[64];
    float sum = 0;
    for (int k = starts[threadIdx.x]; k < starts[threadIdx.x + 1]; k++) sum += values[k] * x[columns[k]];
    s[threadIdx.x] = sum;
    __syncthreads();
    sum = s[63 - threadIdx.x];
    for (int k = 0; k < starts[0]; k++)
        for (int l = 0; l < starts[1]; l++)
            for (int m = 0; m < starts[2]; m++) sum = sum * sum + x[k * l + m];
    y[threadIdx.x] = sum;
}
__global__ void counts_much_and_search(int *found, const unsigned char *text, int *sums, int n) {
    __shared__ int s[64];
    int i = threadIdx.x, length = 0;
    s[i] = i;
    __syncthreads();
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
            atomicAdd(&sums[i * k & 63], 1);
            atomicAdd(&sums[i * l & 63], 2);
            atomicAdd(&sums[i * n & 63], 3);
            atomicAdd(&sums[i & n & 63], 4);
        }
    __syncthreads();
    while (length < n && text[i * n + length] == text[i + length]) length++;
    found[i] = length + s[63 - i];
}
__global__ void places(int *y, const int *x) { y[atomicAdd(&y[x[threadIdx.x]], 1)] = 1; }
__global__ void exchanged(int *y, int *x) { atomicExch(&y[x[threadIdx.x]], (int)threadIdx.x); }
__global__ void rounded(float *y, const int *x) { atomicAdd(&y[x[threadIdx.x]], 0.1f); }
__global__ void two_operations(int *y, const int *x) { atomicAdd(&y[0], 1); atomicMax(&y[0], x[threadIdx.x]); }
__global__ void prints(int *y) { if (y[threadIdx.x]) printf("%d", y[threadIdx.x]); }
__global__ void asserts(int *y) { assert(y[threadIdx.x] > 0); y[threadIdx.x] = 1; }
__global__ void traps(int *y) { if (y[threadIdx.x]) __trap(); }
__global__ void is_volatile(volatile int *y) { y[threadIdx.x] = y[threadIdx.x] + 1; }
__global__ void waits(int *y) { if (threadIdx.x == 0) atomicExch(y, 1); while (atomicAdd(y, 0) == 0); }
__global__ void shuffles(int *y) { y[threadIdx.x] = __shfl_xor_sync(~0u, y[threadIdx.x], 1); }
__global__ void exchanges(int *y) {
    __shared__ int s[64];
    s[threadIdx.x] = y[threadIdx.x];
    y[threadIdx.x] = s[threadIdx.x ^ 1];
}
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void calls(int *y) { y[threadIdx.x] = fibonacci(y[threadIdx.x]); }
__global__ void allocates(int **y) { y[threadIdx.x] = new int[y[threadIdx.x] != nullptr]; }
"""
ONE_MAPPING = (
    "places", "exchanged", "rounded", "two_operations", "prints", "asserts", "traps", "is_volatile", "waits",
    "shuffles", "exchanges", "calls", "allocates",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _costs_without_avx_512(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels are sure or unsure by the costs of one processor."""
    monkeypatch.setattr(mapping_costs, "instruction_costs", lambda _: AVX2)


@functools.cache
def _module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


def _facts(name: str, mapping: Mapping = AUTO) -> LaunchFacts:
    module = _module()
    return compile_for_cpu(module.ir(), module[name].symbol, (64, 1, 1), mapping=mapping).facts


@pytest.mark.parametrize("name", ["plain", "barrier", "sums", "greatest"])
def test_what_no_order_of_work_items_changes_may_also_run_as_a_loop(name: str):
    assert _facts(name).other_mapping == "loop"


def test_fast_mathematics_has_one_mapping():
    source = """kernel void total(global float *y, global const float *x, int n) {
        int i = get_global_id(0);
        float s = 0;
        for (int k = 0; k < n; k++) s += x[i * n + k];
        y[i] = s;
    }"""
    others = []
    for options in ((), ("-cl-fast-relaxed-math",)):
        module = lw.compile(source, language="opencl", options=options)
        found = compile_for_cpu(module.ir(), module["total"].symbol, (64, 1, 1), mapping=AUTO).facts
        others.append((found.other_mapping, found.is_inexact))
    assert others == [("loop", False), ("", True)]


@pytest.mark.parametrize("name", ONE_MAPPING)
def test_what_the_order_of_work_items_changes_has_one_mapping(name: str):
    assert _facts(name).other_mapping == ""


def test_a_search_may_also_run_in_lanes_and_is_unsure():
    facts = _facts("search")
    assert "a loop over work-items" in facts.remarks[0]
    assert (facts.other_mapping, facts.is_unsure) == ("lanes", True)
    assert " lanes" in _facts("search", AGAINST_MODEL).remarks[0]


@pytest.mark.parametrize(
    ("name", "other", "is_unsure"),
    [("search_and_little", "lanes", False), ("search_and_much", "loop", False), ("rows_and_much", "lanes", True)],
)
def test_the_other_mapping_is_of_unsure_regions_or_those_that_take_longer(name: str, other: str, is_unsure: bool):
    facts = _facts(name)
    assert "region 0: a loop over work-items" in facts.remarks[0]
    assert any("region 1:" in remark and " lanes" in remark for remark in facts.remarks)
    assert (facts.other_mapping, facts.is_unsure) == (other, is_unsure)


def test_regions_that_are_too_large_for_lanes_have_no_say(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(budget, "ALWAYS", 100)
    monkeypatch.setattr(budget, "EACH", 0)
    facts = _facts("counts_much_and_search")
    mapped, large, refused = (remark for remark in facts.remarks if remark.startswith("region"))
    assert " lanes" in mapped
    assert "its size" in large
    assert "loops left at different times" in refused
    assert (facts.other_mapping, facts.is_unsure) == ("lanes", False)


def test_a_choice_that_the_model_would_not_have_made_is_unsure():
    facts = _facts("rows")
    assert "hardly do anything but gather" in facts.remarks[0]
    assert (facts.other_mapping, facts.is_unsure) == ("lanes", True)


def test_arithmetic_alone_is_sure():
    assert not _facts("plain").is_unsure


@pytest.mark.parametrize("mapping", ["loop", "lanes:16x1", "lock-step"])
def test_a_mapping_that_was_asked_for_has_no_other(mapping: str):
    assert _facts("plain", mapping_of(mapping)).other_mapping == ""


def test_checks_and_code_for_debugging_have_one_mapping():
    checked = lw.compile(SOURCE, language="cuda", checked=True)
    for module in (checked, lw.compile(SOURCE, language="cuda", options=["-g"])):
        found = compile_for_cpu(module.ir(), module["barrier"].symbol, (64, 1, 1)).facts
        assert found.other_mapping == ""


def test_code_for_any_local_size_has_one_mapping():
    assert compile_for_cpu(_module().ir(), _module()["plain"].symbol, None).facts.other_mapping == ""


def test_fixed_is_auto_by_another_name():
    assert mapping_of("auto,fixed") == FIXED
    assert _facts("search", FIXED) == _facts("search")
