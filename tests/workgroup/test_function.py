# SPDX-License-Identifier: Apache-2.0
"""Whole work-group functions: what they are for LLVM, for our verifier, and for the vectoriser."""

import functools
import re
from pathlib import Path

import numpy as np
import pytest

from lanewise.backend.host.compile import assembly
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.llvm import LlvmModule, Machine
from lanewise.pipelines.cpu import stages as stages_of
from lanewise.pipelines.drive import View
from lanewise.program.source.compilation import compile_source

from .parts import compiled, kernel_text, run, session

KERNELS = Path(__file__).parents[1] / "kernels"
SOURCES = sorted(KERNELS.glob("barriers/*.cu"))
BEFORE_ISOLATION = ("contract-multiply-add", "mark-positions", "inline-texture-fetches")
"""Steps after which declarations of functions that aren't reached are still there, which LLVM may refuse."""
BLOCKS = [(64, 1, 1), (4, 2, 3), (1, 1, 1)]


@functools.cache
def front_end(path: Path) -> tuple[str, tuple[str, ...]]:
    """Kernel IR of a source, and the symbols of its kernels."""
    text = compile_source(session(), path, options=("-w",)).ir()
    return text, tuple(kernel.symbol for kernel in read_module(text).kernels)


def stages(text: str, symbol: str, block: tuple[int, int, int]) -> dict[str, str]:
    return {stage.step: stage.text for stage in stages_of(text, symbol, block, view=View(texts=None)) if stage.text}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_stage_is_accepted_by_both_verifiers(path: Path):
    text, symbols = front_end(path)
    for number, symbol in enumerate(symbols):
        texts = stages(text, symbol, BLOCKS[number % len(BLOCKS)])
        assert {"isolate", "inline", "simplify", "work-group"} <= set(texts)
        for name, stage in texts.items():
            if name not in BEFORE_ISOLATION:
                LlvmModule.parse(stage)
            verify(read_module(stage))


@pytest.mark.parametrize("path", SOURCES[::4], ids=lambda path: path.stem)
def test_two_runs_give_the_same_text(path: Path):
    text, symbols = front_end(path)
    for symbol in symbols:
        once, twice = (stages(text, symbol, (4, 2, 3)) for _ in range(2))
        assert once == twice


def test_the_module_in_memory_is_sound_too():
    """Not only what its text says: use lists, parents, types."""
    verify(compiled(kernel_text("TID\n  BARRIER\n  store i32 %t, ptr %out\n  ret void")).module)


def test_nothing_of_the_gpu_is_left():
    text, symbols = front_end(KERNELS / "barriers" / "collectives.cu")
    for symbol in symbols:
        last = stages(text, symbol, (64, 1, 1))["work-group"]
        for word in ("llvm.nvvm", "nvptx", "addrspace", "sm_80", "target triple", "ptx_kernel"):
            assert word not in last, word


def test_unreachable_blocks_are_dropped():
    text = kernel_text("""
b:
  br label %join
nowhere:
  br label %join
join:
  %x = phi i32 [ 1, %b ], [ 2, %nowhere ]
  store i32 %x, ptr %out
  ret void""")
    out = np.zeros(1, np.uint32)
    run(text, 1, 1, out, out.copy(), 0, 0)
    assert out[0] == 1


def test_kernel_arguments_of_each_kind():
    source = """
struct Pair { char tag; double value; };
extern "C" __global__ void k(double *out, bool flag, signed char c, short s, Pair pair, float f, long long l,
                             float3 v) {
    pair.value += threadIdx.x;
    out[threadIdx.x] = flag ? c + s + pair.tag + pair.value + f + l + v.x + v.y + v.z : 0;
}"""
    out = np.zeros(8, np.float64)
    pair = np.array((3, 0.5), np.dtype([("tag", "i1"), ("value", "f8")], align=True))[()]
    run(source, 1, 8, out, True, -1, 300, pair, 0.25, 1 << 40, (1.0, 2.0, 3.0), language="cuda", kernel="k")
    assert (out == -1 + 300 + 3 + 0.5 + np.arange(8) + 0.25 + 2.0**40 + 6).all()


# -- for the vectoriser ------------------------------------------------------------------------------------------------

MATRIX_PRODUCT = """
extern "C" __global__ void k(float *c, const float *a, const float *b, int n) {
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * n + x];
    c[y * n + x] = sum;
}
"""


MULTIPLY_ADD = r"fmadd\d+"
"""Processors with AVX2 have it."""


def widest() -> str:
    """What the widest vector registers of this host are called."""
    features = Machine.host().features.split(",")
    if "+avx512f" in features:
        return "zmm"
    if "+avx2" in features:
        return "ymm"
    pytest.skip("neither AVX2 nor AVX-512")


def packed(text: str, operation: str) -> list[str]:
    """Instructions of the assembly that do an operation on whole registers of the widest kind."""
    return re.findall(rf"^\s+v{operation}ps\s.*%{widest()}.*$", text, re.MULTILINE)


def test_work_items_of_a_horizontal_loop_share_vectors():
    module = compile_source(session(), MATRIX_PRODUCT, language="cuda")
    work_group = module.ir("work-group", block=(64, 4))
    assert work_group.count(".loop.") > 0
    text = assembly(work_group)
    assert packed(text, MULTIPLY_ADD)
    assert not re.search("gather", text)


def test_a_plain_kernel_is_vectorised():
    source = """
extern "C" __global__ void k(float *y, const float *x, float a) {
    int i = threadIdx.x;
    y[i] = a * x[i] + y[i];
}"""
    module = compile_source(session(), source, language="cuda")
    assert packed(module.asm(block=256), MULTIPLY_ADD)


def test_a_kernel_with_shared_memory_is_vectorised():
    source = """
extern "C" __global__ void k(float *y, const float *x) {
    __shared__ float tile[256];
    tile[threadIdx.x] = x[threadIdx.x] * 3.0f;
    __syncthreads();
    y[threadIdx.x] = tile[255 - threadIdx.x] + tile[threadIdx.x];
}"""
    text = compile_source(session(), source, language="cuda").asm(block=256)
    assert packed(text, "mul")
    assert packed(text, "add")


def test_the_product_is_right():
    n = 32
    a, b = np.random.default_rng(3).integers(-4, 5, (2, n, n)).astype(np.float32)
    c = np.zeros((n, n), np.float32)
    run(MATRIX_PRODUCT, (2, 8), (16, 4), c, a, b, n, language="cuda")
    assert (c == a @ b).all()
