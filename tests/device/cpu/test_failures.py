# SPDX-License-Identifier: Apache-2.0
"""Kernels that fail, and what is said of it: python -m pytest tests/device/cpu/test_failures.py"""

import ctypes
import mmap
import re
from collections.abc import Iterator

import numpy as np
import pytest

import lanewise as lw

SOURCE = r"""
#include <assert.h>
#define AT(block, thread) (blockIdx.x == block && threadIdx.x == thread)

__global__ void divergent(int *p, bool trap) {
    if (AT(3, 37)) { if (trap) __trap(); else assert(p[0] == 1); }
    p[threadIdx.x] = 2;
}
__global__ void thinned(int *p, bool trap) {
    if (threadIdx.x < 10) return;
    __syncthreads();
    p[threadIdx.x] = 2;
    __syncthreads();
    if (AT(3, 37)) { if (trap) __trap(); else assert(p[0] == 1); }
}
__global__ void in_a_loop(int *p, bool trap) {
    for (int i = 0; i < p[1]; i++)
        if (AT(3, 37) && i == 5) { if (trap) __trap(); else assert(p[0] == 1); }
}
__global__ void uniform(int *p, bool trap) {
    if (blockIdx.x == 3) { if (trap) __trap(); else assert(p[0] == 1); }
    p[threadIdx.x] = 2;
}

__global__ void divide(const int *n, const int *d, int *q, int *r, const long long *wide_n, const long long *wide_d,
                       long long *wide, const signed char *narrow, signed char *narrow_q) {
    int i = threadIdx.x;
    q[i] = n[i] / d[i];
    r[i] = n[i] % d[i];
    wide[i] = wide_n[i] / wide_d[i] + wide_n[i] % wide_d[i];
    narrow_q[i] = narrow[i] / narrow[i ^ 1];
}

__global__ void store(int *p, long long i) { p[i] = threadIdx.x; }
__global__ void at_line(int *p, long long i) {
    p[0] = 1;
    if (threadIdx.x == 5)
        p[i] = 2;
}
__device__ int deep(volatile int *p, int n) {
    volatile int a[64];
    a[n % 64] = n;
    return *p == 77 ? 0 : deep(p, n + 1) + a[(n + 1) % 64];
}
__global__ void recurse(int *p) { p[1] = deep(p, 0); }
__global__ void spin(volatile int *p) { while (*p != 12345); }
__global__ void nothing_for_ever() { while (true); }
__global__ void wait_for_later_block(int *p) {
    if (blockIdx.x > 0) atomicAdd(p, 1);
    while (blockIdx.x == 0 && atomicAdd(p, 0) == 0);
}
__global__ void forget_to_stop(int *p) { for (;;) atomicAdd(p, 1); }
__global__ void good(int *p) { p[threadIdx.x] = threadIdx.x; }
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


def _failure(kernel: lw.Kernel, *launch: object, **options: object) -> str:
    with pytest.raises(lw.LaunchError) as caught:
        kernel.launch(*launch, **options)  # pyright: ignore
    return str(caught.value)


def _line(part: str) -> int:
    """Number of the first line of the source that holds `part`."""
    return next(number for number, text in enumerate(SOURCE.splitlines(), 1) if part in text)


def _is_usable(module: lw.Module) -> bool:
    out = np.zeros(64, np.int32)
    module["good"][4, 64](out)
    return out.tolist() == list(range(64))


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("name", ["divergent", "thinned", "in_a_loop", "uniform"])
@pytest.mark.parametrize("trap", [True, False])
def test_traps_and_assertions_tell_the_place(module: lw.Module, device: str, name: str, trap: bool):
    p = np.full(64, 9, np.int32)
    text = _failure(module[name], 8, 64, (p, trap), device=device)
    thread = 0 if name == "uniform" else 37
    assert re.search(rf"block \(3, 0, 0\), thread \({thread}, 0, 0\)", text), text
    assert f"kernel {name}" in text
    if not trap:
        assert "p[0] == 1" in text
    assert _is_usable(module)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_no_integer_division_ends_the_process(module: lw.Module, device: str):
    """CUDA leaves such results open; those of the other work-items are right. The reference device reports them."""
    lowest, wide_lowest = -(2**31), -(2**63)
    n = np.array([7, lowest, 7, lowest, -7, 9, 0, 1], np.int32)
    d = np.array([0, -1, 2, 0, 2, -3, 0, lowest], np.int32)
    wide_n, wide_d = n.astype(np.int64), d.astype(np.int64)
    wide_n[1], wide_d[7] = wide_lowest, wide_lowest
    narrow = np.array([-128, -1, 5, 0, 100, 7, -1, -128], np.int8)
    q, r, wide, narrow_q = np.zeros(8, np.int32), np.zeros(8, np.int32), np.zeros(8, np.int64), np.zeros(8, np.int8)
    arguments = n, d, q, r, wide_n, wide_d, wide, narrow, narrow_q
    if device == "reference":
        assert "divi" in _failure(module["divide"], 1, 8, arguments, device=device)
        return
    module["divide"][1, 8](*arguments)
    assert q[[2, 4, 5, 7]].tolist() == [3, -3, -3, 0]
    assert r[[2, 4, 5, 7]].tolist() == [1, -1, 0, 1]
    assert wide[[2, 4, 5, 7]].tolist() == [4, -4, -3, 1]
    assert narrow_q[[4, 5]].tolist() == [14, 0]


@pytest.fixture
def nothing_around() -> Iterator[np.ndarray]:
    """Numbers with nothing that can be accessed for 512 MiB on either side."""
    c = ctypes.CDLL(None)
    c.mmap.restype = ctypes.c_void_p
    size, page, around = 3 << 29, 4096, 1 << 29
    start = c.mmap(None, ctypes.c_size_t(size), 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, ctypes.c_long(0))
    middle = (start + around + page) // page * page
    assert c.mprotect(ctypes.c_void_p(middle), ctypes.c_size_t(page), mmap.PROT_READ | mmap.PROT_WRITE) == 0
    yield np.ctypeslib.as_array((ctypes.c_int32 * 64).from_address(middle))
    c.munmap(ctypes.c_void_p(start), ctypes.c_size_t(size))


def test_wrong_addresses_are_told(module: lw.Module, nothing_around: np.ndarray):
    store = module["store"]
    assert re.fullmatch(
        r"kernel store: write to address 0xc \(null pointer \+ 12\), in block \(\d, 0, 0\), thread \(0, 0, 0\), "
        rf'at <source>:{_line("*p, long long i) {")}; compiled with options=\["-g"\], it says the thread',
        _failure(store, 4, 1, (None, 3)),
    )
    assert "(a null pointer)" in _failure(store, 4, 1, (None, 0))
    far = (1 << 29) // 4
    p = nothing_around
    text = _failure(store, 4, 1, (p, far))
    assert f"(element {far} of argument 'p', int32[64]: {(1 << 29) - p.nbytes} bytes past its end)" in text
    text = _failure(store, 4, 1, (p, -far))
    assert f"(element {-far} of argument 'p', int32[64]: {1 << 29} bytes before its start)" in text
    assert "not in any array" in _failure(store, 4, 1, (p, -(1 << 42)))
    assert "an address that no pointer can hold" in _failure(store, 4, 1, (p, 1 << 56))
    assert _is_usable(module)


def test_code_for_debugging_tells_the_line():
    module = lw.compile(SOURCE, language="cuda", options=["-g"])
    line = _line("p[i] = 2;")
    text = _failure(module["at_line"], 2, 32, (None, 4))
    assert re.search(r", in block \(\d, 0, 0\), thread \(\d+, 0, 0\), at <source>:\d+ \(at_line\)$", text), text
    p = np.zeros(1, np.int32)
    text = _failure(module["at_line"], 2, 32, (p, -(1 << 42)))
    assert re.search(rf", thread \(5, 0, 0\), at <source>:{line} \(at_line\)$", text), text
    spinning = _line("12345")
    text = _failure(module["spin"], 2, 32, (p,), timeout=0.1)
    where = rf"thread \(0, 0, 0\), at <source>:{spinning} \(spin\)"
    assert re.search(rf"; it was in block \(\d, 0, 0\), {where}$", text), text


def test_a_full_stack_is_told(module: lw.Module):
    text = _failure(module["recurse"], 2, 32, (np.zeros(2, np.int32),))
    assert text.startswith("kernel recurse: the stack is full: recursion is too deep, or without end, in block (")
    assert _is_usable(module)


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("name", ["spin", "forget_to_stop"])
def test_timeout_ends_endless_loops(module: lw.Module, name: str, device: str):
    for _ in range(2):
        text = _failure(module[name], 3, 32, (np.zeros(1, np.int32),), timeout=0.1, device=device)
        told = "; it was in block (" if device == "cpu" else ""
        assert text.startswith(f"kernel {name}: the launch ran longer than its timeout of 0.1 s{told}")
    assert _is_usable(module)
    module["good"].launch(1, 8, (np.zeros(8, np.int32),), timeout=60, device=device)


def test_timeout_ends_loops_that_do_nothing(module: lw.Module):
    assert "longer than its timeout" in _failure(module["nothing_for_ever"], 1, 1, (), timeout=0.1)


def test_timeout_ends_waits_for_blocks_that_can_not_start(module: lw.Module):
    lw.device("cpu").set_num_threads(1)  # pyright: ignore
    try:
        text = _failure(module["wait_for_later_block"], 3, 32, (np.zeros(1, np.int32),), timeout=0.1)
        assert "it was in block (0, 0, 0)" in text
        p = np.zeros(1, np.int32)
        module["wait_for_later_block"].launch(3, 32, (p,), timeout=60, cooperative=True)
        assert p[0] == 64
    finally:
        lw.device("cpu").set_num_threads(2)  # pyright: ignore


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), "1", True, [1], 1 + 0j])
def test_timeouts_that_are_none(module: lw.Module, timeout: object):
    text = _failure(module["good"], 1, 64, (np.zeros(64, np.int32),), timeout=timeout)
    assert text == f"kernel good: timeout must be a positive number of seconds, not {timeout!r}"


@pytest.mark.parametrize("timeout", [1e-3, 60, np.float32(60), float("inf")])
def test_timeouts_that_hold(module: lw.Module, timeout: float):
    module["good"].launch(1, 64, (np.zeros(64, np.int32),), timeout=timeout)


def test_cooperative_launches_that_do_not_fit(module: lw.Module):
    text = _failure(module["good"], 100_000, 64, (np.zeros(64, np.int32),), cooperative=True)
    assert re.fullmatch(
        r"kernel good: the 100000 blocks of a cooperative launch are there at once, each with 256 KiB of stack "
        r"and \d+ bytes of its own: at most \d+ fit 1024 MiB",
        text,
    )
