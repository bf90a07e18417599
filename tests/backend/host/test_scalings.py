# SPDX-License-Identifier: Apache-2.0
"""Products with powers of two, where code is generated again without AVX-512's instruction for them."""

import ctypes
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.backend.host.compile import compile_object, compile_shared_object
from lanewise.backend.host.scalings import without_scalings
from lanewise.llvm import Machine

AVX512 = Machine("x86_64-linux-gnu", "x86-64-v4", "+avx512f,+avx512vl,+avx512dq,+avx512bw")
ENDS = {"float": ("ps", 32, -160, 129), "double": ("pd", 64, -1090, 1025)}


def products(of: str, signs: bool = False) -> str:
    suffix, bits, _, _ = ENDS[of]
    lanes = 512 // bits
    vector, mask = f"<{lanes} x {of}>", f"i{max(lanes, 8)}"
    name = f"@llvm.x86.avx512.mask.scalef.{suffix}.512"
    text = f"""declare {vector} {name}({vector}, {vector}, {vector}, {mask}, i32)
define i32 @products(ptr %out, ptr %x, ptr %n, <4 x i32> %signs) {{
  %a = load {vector}, ptr %x
  %b = load {vector}, ptr %n
  %r = call {vector} {name}({vector} %a, {vector} %b, {vector} %a, {mask} -1, i32 4)
  store {vector} %r, ptr %out
"""
    if not signs:
        return f"{text}  ret i32 0\n}}\n"
    text += "  %negative = icmp slt <4 x i32> %signs, zeroinitializer\n  %bits = bitcast <4 x i1> %negative to i4\n"
    return f"{text}  %wide = zext i4 %bits to i32\n  ret i32 %wide\n}}\n"


@pytest.mark.parametrize("of", ["float", "double"])
def test_products_are_exact_and_round_once(tmp_path: Path, of: str):
    _, bits, least, greatest = ENDS[of]
    text = without_scalings(products(of))
    assert "scalef" not in text
    (tmp_path / "products.so").write_bytes(compile_shared_object(text))
    function = ctypes.CDLL(str(tmp_path / "products.so")).products
    kind = np.dtype(f"f{bits // 8}")
    exponents = np.arange(least, greatest + 1, dtype=kind)
    exponents = np.append(exponents, np.zeros(-len(exponents) % 16, kind))
    x = np.random.default_rng(0).uniform(0.5, 2, len(exponents)).astype(kind)
    x[3] = exponents[3] = np.nan
    out = np.empty_like(x)
    lanes = 512 // bits
    for first in range(0, len(x), lanes):
        piece = [np.empty(2 * lanes, kind) for _ in range(3)]
        starts = [-each.ctypes.data % 64 // kind.itemsize for each in piece]
        o, a, b = (each[at : at + lanes] for each, at in zip(piece, starts, strict=True))
        a[:], b[:] = x[first : first + lanes], exponents[first : first + lanes]
        function(*(ctypes.c_void_p(each.ctypes.data) for each in (o, a, b)))
        out[first : first + lanes] = o
    with np.errstate(over="ignore", under="ignore"):
        expected = np.ldexp(x.astype(np.longdouble), np.nan_to_num(exponents).astype(np.int32)).astype(kind)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("of", ["float", "double"])
def test_code_with_a_mask_that_llvm_may_lose(of: str):
    """It is generated again without AVX-512, for which LLVM would end the process."""
    assert compile_object(products(of, signs=True), AVX512)


def test_powers_of_a_kernel_with_such_a_mask():
    source = """__global__ void turned(float *x, const int *positions, int size) {
        int pair = threadIdx.x;
        float angle = positions[blockIdx.x] * powf(10000.0f, -2.0f * pair / size);
        x[blockIdx.x * size + pair] = sinf(angle) + cosf(angle);
    }"""
    x, positions = np.zeros((8, 64), np.float32), np.arange(0, 2048, 256, dtype=np.int32)
    module = lw.compile(source, language="cuda")
    module["turned"][8, 32](x, positions, 64)
    expected = np.zeros_like(x)
    module["turned"].launch(8, 32, (expected, positions, 64), device=lw.device("reference"))
    np.testing.assert_array_equal(x, expected)
