# SPDX-License-Identifier: Apache-2.0
"""Pointers to functions beyond one launch: kept in variables, passed by the host, the same in all kernels."""

import threading
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.config import Config
from lanewise.program.source.compilation import compile_source
from lanewise.session import Session

SOURCE = """
using Operation = int (*)(int, int);
__device__ int calls;
__device__ int plus(int a, int b) { return a + b; }
__device__ int times(int a, int b) { atomicAdd(&calls, 1); return a * b; }
__device__ int counted(int a, int b) {
    __shared__ int seen[64];
    seen[threadIdx.x] = a;
    return seen[threadIdx.x] + b;
}
__device__ Operation operations[3] = {plus, times, counted};
__device__ Operation chosen;
__global__ void choose(int which) { chosen = operations[which]; }
__global__ void apply(int *out) {
    __shared__ int other[32];
    other[threadIdx.x] = 100;
    out[threadIdx.x] = chosen(threadIdx.x, 10) + other[threadIdx.x];
}
__global__ void given(int *out, unsigned long long operation) {
    out[threadIdx.x] = reinterpret_cast<Operation>(operation)(threadIdx.x, 10);
}
__global__ void same(int *out) { out[threadIdx.x] = operations[0] == plus && operations[1] != plus; }
template <int extra> __device__ int plus_more(int a, int b) { return a + b + extra; }
template <int extra> __global__ void more(int *out) {
    Operation own = plus_more<extra>;
    out[threadIdx.x] = (threadIdx.x % 2 ? own : operations[1])(threadIdx.x, 10);
}
"""
EXPECTED = [np.arange(8) + 10, np.arange(8) * 10, np.arange(8) + 10]


@pytest.fixture(params=["cpu", "reference"])
def device(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize("which", range(3))
def test_one_kernel_keeps_a_pointer_that_another_calls(device: str, which: int):
    module = lw.compile(SOURCE, language="cuda")
    out = np.zeros(8, np.int32)
    module["choose"].launch(1, 1, (which,), device=device)
    module["apply"].launch(1, 8, (out,), device=device)
    assert (out == EXPECTED[which] + 100).all()


@pytest.mark.parametrize("which", range(3))
def test_the_host_passes_a_pointer_that_it_found_in_a_variable(device: str, which: int):
    """As programs do with cudaMemcpyFromSymbol."""
    module = lw.compile(SOURCE, language="cuda")
    pointers = module.variable("operations", device=device).read()
    out = np.zeros(8, np.int32)
    module["given"].launch(1, 8, (out, int(pointers[which])), device=device)
    assert (out == EXPECTED[which]).all()


def test_the_address_of_a_function_is_the_same_everywhere(device: str):
    out = np.zeros(4, np.int32)
    lw.compile(SOURCE, language="cuda")["same"].launch(1, 4, (out,), device=device)
    assert out.all()


def test_a_function_uses_the_variables_of_its_own_module():
    first, second = lw.compile(SOURCE, language="cuda"), lw.compile(SOURCE, language="cuda")
    out = np.zeros(8, np.int32)
    for module in (first, second, second):
        module["choose"].launch(1, 1, (1,), device="cpu")
        module["apply"].launch(1, 8, (out,), device="cpu")
    assert [int(m.variable("calls", device="cpu").read()) for m in (first, second)] == [8, 16]


def test_template_instances_made_later_share_the_tables():
    module = lw.compile(SOURCE, language="cuda")
    out = np.zeros(8, np.int32)
    item = np.arange(8)
    for extra in (5, 7):
        module[f"more<{extra}>"].launch(1, 8, (out,), device="cpu")
        assert (out == np.where(item % 2, item + 10 + extra, item * 10)).all()
        module["choose"].launch(1, 1, (2,), device="cpu")
        module["apply"].launch(1, 8, (out,), device="cpu")
        assert (out == EXPECTED[2] + 100).all()
        module["same"].launch(1, 8, (out,), device="cpu")
        assert out.all()


def test_a_second_process_takes_them_from_the_cache(tmp_path: Path):
    for _ in range(2):
        session = Session(Config(cache_dir=tmp_path, num_threads=2, device="cpu"))
        module = compile_source(session, SOURCE, language="cuda")
        out = np.zeros(8, np.int32)
        module["choose"].launch(1, 1, (1,))
        module["apply"].launch(1, 8, (out,))
        assert (out == EXPECTED[1] + 100).all()


def test_from_several_threads_at_once():
    module = lw.compile(SOURCE, language="cuda")
    results = np.zeros((4, 32), np.int32)

    def work(row: int) -> None:
        module["more<3>"].launch(1, 32, (results[row],), device="cpu")

    threads = [threading.Thread(target=work, args=(row,)) for row in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    item = np.arange(32)
    assert (results == np.where(item % 2, item + 13, item * 10)).all()


def test_the_reference_device_checks_the_type_of_a_call():
    source = """
struct Shape {
  __device__ Shape() { grow(); }
  __device__ void grow() { area(); }
  __device__ virtual void area() = 0;
};
struct Square : Shape { __device__ void area() override {} };
__global__ void pure(int *out) { Square square; *out = 1; }"""
    kernel = lw.compile(source, language="cuda")["pure"]
    for device, said in (("cpu", "__trap"), ("reference", r"as one of type void \(ptr\), of .* of type void \(\)")):
        with pytest.raises(lw.LaunchError, match=said):
            kernel.launch(1, 1, (np.zeros(1, np.int32),), device=device)


def test_recursion_without_end_is_an_error_and_no_crash():
    source = """
__device__ int endless(int n, volatile int *p) { return endless(n + 1, p) + p[0]; }
__global__ void k(int *out) { *out = endless(0, out); }
__global__ void fine(int *out) { *out = 5; }"""
    module = lw.compile(source, language="cuda")
    out = np.zeros(1, np.int32)
    for device, said in (("cpu", "recursion"), ("reference", "calls too deep")):
        with pytest.raises(lw.LaunchError, match=said):
            module["k"].launch(1, 1, (out,), device=device)
        module["fine"].launch(1, 1, (out,), device=device)
        assert out[0] == 5
