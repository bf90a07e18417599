# SPDX-License-Identifier: Apache-2.0
"""Arrays that are written and overlap no others: code that counts on it, and launches where it isn't so."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
extern "C" __global__ void sums(float *c, const float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) for (int k = 0; k < n; ++k) c[i] += a[i * n + k] * b[k];
}
extern "C" __global__ void two(int *c, int *d, const int *a, int n) {
    int i = threadIdx.x;
    for (int k = 0; k < n; ++k) { c[i] += a[k]; d[k * blockDim.x + i] = c[i] + a[i]; }
}
extern "C" __global__ void declared(float *__restrict__ c, const float *__restrict__ a, int n) {
    for (int k = 0; k < n; ++k) c[threadIdx.x] += a[k];
}
extern "C" __global__ void behind_barriers(float *c, const float *a, int n) {
    for (int k = 0; k < n; ++k) { c[threadIdx.x] += a[k]; __syncthreads(); }
}
extern "C" __global__ void no_loop(float *c, const float *a, int n) { c[threadIdx.x] += a[threadIdx.x] * n; }
"""
N = 40
Numbers = np.ndarray[Any, Any]
Arrays = tuple[Any, Any, Any]
REMARK = "taken to overlap no other array: "


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


def apart(module: lw.Module, kernel: str) -> list[str]:
    """Parameters that the kernel's code takes to overlap no others."""
    found = [remark.removeprefix(REMARK) for remark in module[kernel].remarks(64) if remark.startswith(REMARK)]
    return found[0].split(", ") if found else []


def test_what_is_counted_on(module: lw.Module):
    assert apart(module, "sums") == ["c"]
    assert apart(module, "two") == ["c", "d"]
    assert apart(module, "declared") == apart(module, "behind_barriers") == apart(module, "no_loop") == []


def test_a_sum_stays_in_a_register(module: lw.Module):
    text = module.ir("simplify-again", "sums", 64)
    (loop,) = [block for block in text.split("\n\n") if "llvm.fma" in block and "phi" in block]
    assert "store" not in loop


def over_bytes(w: Numbers, part: Any, shape: tuple[int, ...], at: int, strides: tuple[int, ...], b: int) -> Arrays:
    """`c` as part of an array of that shape over some bytes, and `b` as numbers of these bytes."""
    memory = bytearray(w.tobytes())
    whole = np.ndarray(shape, np.float32, memory, at, strides)
    return part(whole), w[: N * N].copy(), np.frombuffer(memory, np.float32, N, 4 * b)


PLACES: dict[str, Callable[[Numbers], Any]] = {
    "apart": lambda w: (w[:N].copy(), w[N : N + N * N].copy(), w[-N:].copy()),
    "c_within_b": lambda w: (w[3 : 3 + N], w[N : N + N * N], w[: 2 * N]),
    "c_within_a": lambda w: (w[7 : 7 + N], w[: N * N], w[-N:]),
    "c_overlaps_the_end_of_b": lambda w: (w[15 : 15 + N], w[N * N : 2 * N * N], w[5 : 5 + N]),
    "parts_of_one": lambda w: (w[:N], w[N : N + N * N], w[-N:]),
    "same_bytes": lambda w: tuple(np.frombuffer(w, np.float32, n, 4 * at) for at, n in ((9, N), (0, N * N), (3, N))),
    "row_of_a_pitched_array": lambda w: over_bytes(w, lambda x: x[3], (4, N), 0, (8 * N, 4), 6 * N - 3),
    "part_of_a_reversed_array": lambda w: over_bytes(w, lambda x: x[::-1][5 : 5 + N], (100,), 4 * 99, (-4,), 0),
    "a_is_b": lambda w: (w[:N].copy(), *2 * (w[: N * N].copy(),)),
}
"""Where `c`, `a` and `b` of `sums` are in some memory."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("block", [32, 40])
def test_sums(module: lw.Module, place: str, block: int):
    results: list[list[float]] = []
    for device in ("cpu", "reference"):
        whole = np.random.default_rng(5).integers(1, 3, 4 * N * N).astype(np.float32)
        c, a, b = PLACES[place](whole)
        module["sums"].launch(1, 1, (c, a, b, 20), device=device)  # one work-item, so that there is no race
        module["sums"].launch(-(-N // block), block, (c.copy(), a, b, N), device=device)
        results.append(c.tolist())
    assert results[0] == results[1]


def test_each_launch_is_looked_at(module: lw.Module):
    kernel = module["two"]
    for _ in range(2):
        for overlapping in (False, True, False):
            results: list[list[int]] = []
            for device in ("cpu", "reference"):
                c, a = np.arange(8, dtype=np.int32), np.arange(1, 65, dtype=np.int32)
                d = a if overlapping else np.zeros(64, np.int32)
                kernel.launch(1, 1, (c, d, a, 8), device=device)
                results.append([*c.tolist(), *d.tolist()])
            assert results[0] == results[1]


def test_buffers_of_one_memory(module: lw.Module):
    whole = lw.to_device(np.arange(100, dtype=np.int32))
    module["two"].launch(1, 1, (whole[3:13], whole[30:60], whole[:30], 8))
    expected = np.arange(100, dtype=np.int32)
    module["two"].launch(1, 1, (expected[3:13], expected[30:60], expected[:30], 8), device="reference")
    assert whole.copy_to_host().tolist() == expected.tolist()


def test_a_null_pointer_overlaps_nothing(module: lw.Module):
    module["two"].launch(1, 1, (None, None, None, 0))


def test_saved_modules_have_code_for_both(module: lw.Module, tmp_path: Path):
    path = tmp_path / "sums.lwo"
    module.save(path, blocks={"sums": [1]}, ir=False)
    loaded = lw.load(path)
    for place in ("apart", "c_within_a"):
        results: list[list[float]] = []
        for used in (loaded, module):
            c, a, b = PLACES[place](np.random.default_rng(5).integers(1, 3, 4 * N * N).astype(np.float32))
            used["sums"].launch(1, 1, (c, a, b, 20))
            results.append(c.tolist())
        assert results[0] == results[1]
