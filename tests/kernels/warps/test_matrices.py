# SPDX-License-Identifier: Apache-2.0
"""nvcuda::wmma against NumPy."""

import re
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

from ...sampling import EVERY_SHAPE


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(Path(__file__).with_name("matrices.cu"))


@pytest.mark.parametrize("device", ["cpu", "reference", *(["simt"] if EVERY_SHAPE else [])])
def test_a_product_by_tiles(module: lw.Module, device: str):
    rng = np.random.default_rng(1)
    m, n, k = (32, 32, 48)
    a, b = rng.standard_normal((m, k)).astype(np.float16), rng.standard_normal((k, n)).astype(np.float16)
    c = rng.standard_normal((m, n)).astype(np.float32)
    expected = 2 * (a.astype(np.float64) @ b.astype(np.float64)) + c / 2
    module["gemm"].launch((1, 2), (64, 1), (a, b, c, m, n, k, 2.0, 0.5), device=device)
    assert abs(c - expected).max() < 1e-4


KINDS = {
    "halves": ((32, 8, 16), np.float16, np.float16), "bfloats": ((16, 16, 16), np.uint16, np.float32),
    "bytes": ((8, 32, 16), np.int8, np.int32), "unsigned_bytes": ((16, 16, 16), np.uint8, np.int32),
    "tf32": ((16, 16, 8), np.float32, np.float32), "doubles": ((8, 8, 4), np.float64, np.float64),
}  # fmt: skip


@pytest.mark.parametrize("device", ["reference", "cpu"])
@pytest.mark.parametrize("kind", KINDS)
def test_each_type(module: lw.Module, kind: str, device: str):
    """Of small whole numbers, so that each sum is exact."""
    if device == "cpu" and not EVERY_SHAPE and kind not in ("bytes", "tf32"):
        pytest.skip("compiled for the CPU with LANEWISE_TEST_ALL_SHAPES=1")
    (m, n, k), element, total = KINDS[kind]
    rng = np.random.default_rng(2)
    a, b = rng.integers(1, 9, (m, k)), rng.integers(1, 9, (n, k))
    given = [matrix.astype(element) for matrix in (a, b)]
    if kind == "bfloats":
        given = [(matrix.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) for matrix in (a, b)]
    if kind == "tf32":
        given[0] += np.float32(2**-12)  # is rounded off
    d = np.zeros((n, m), total)
    module[kind].launch(1, 32, (*given, d), device=device)
    assert (a @ b.T + 1 == d.T).all()


def test_ptx_has_the_instructions(module: lw.Module):
    text = module.ptx(arch="sm_80")
    for words in ("row.row.m16n16k16.f32.f32", "row.col.m32n8k16.f16.f16", "row.col.m8n8k4.f64.f64.f64.f64"):
        assert f"wmma.mma.sync.aligned.{words} " in text


def test_many_products_in_a_kernel():
    """Fragments are loaded and stored by rows, not by an address per lane, so that the code stays short."""
    module = lw.compile(Path(__file__).with_name("many_products.cu"))
    k = 128
    rng = np.random.default_rng(3)
    a, b = rng.integers(-4, 5, (32, k)).astype(np.float16), rng.integers(-4, 5, (128, k)).astype(np.float16)
    c = rng.integers(-4, 5, (32, 128)).astype(np.float32)
    expected = c + a.astype(np.float32) @ b.T.astype(np.float32)
    module["tiles"].launch(1, 64, (a, b, c, k), device="cpu")
    assert (c == expected).all()
    code = module.ir("work-group", block=64)
    assert "__lw_matrix_product.m16n8k16x2.f32.of.warp" in code
    assert not re.search(r"masked\.(gather|scatter)\.v\d+[if]32", code)
