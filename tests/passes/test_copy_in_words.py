# SPDX-License-Identifier: Apache-2.0
"""Structs that `copy-in-words` copies: what arrays give, and accesses as wide as they may be."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

WORDS = {"half_full": (4, 16), "unaligned": (21, 4), "wide": (24, 32), "long_ones": (72, 16)}
"""Kernel -> words of its struct, and the alignment."""
SOURCE = """
template <int N, int A> struct alignas(A) Words { unsigned v[N]; };
template <class T> __device__ void copies(T *out, const T *in, T given) {
    __shared__ T tile[32];
    int i = threadIdx.x;
    tile[i] = in[i];
    __syncthreads();
    out[i] = tile[31 - i];
    out[i + 32] = given;
    T own = in[i];
    volatile int place = i % 4;
    own.v[place] += 7;
    out[i + 64] = own;
    out[i + 96] = T{};
    const T *either = i & 1 ? &tile[i] : in;
    out[i + 128] = *either;
    T filled;
    memset(&filled, 254, sizeof(T));
    out[i + 160] = filled;
}
""" + "".join(
    f'extern "C" __global__ void {name}(Words<{n}, {align}> *out, const Words<{n}, {align}> *in, '
    f"Words<{n}, {align}> given) {{ copies(out, in, given); }}\n"
    for name, (n, align) in WORDS.items()
)


@pytest.mark.parametrize("name", WORDS)
def test_copies_are_exact(name: str):
    words, _ = WORDS[name]
    program = lw.compile(SOURCE, language="cuda")
    source = np.arange(32 * words, dtype=np.uint32).reshape(32, words) * 2654435761
    given = np.arange(words, dtype=np.uint32) + 5
    out, aligned_source = _aligned((6, 32, words)), _aligned(source.shape)
    aligned_source[:] = source
    program[name].launch(1, 32, (out, aligned_source, (given,)), device="simt")
    lanes = np.arange(32)
    own = source.copy()
    own[lanes, lanes % 4] += 7
    either = np.where(lanes[:, None] % 2, source, source[0])
    filled = np.full_like(source, 0xFEFEFEFE)
    wanted = (source[::-1], np.broadcast_to(given, source.shape), own, np.zeros_like(source), either, filled)
    for found, right in zip(out, wanted, strict=True):
        np.testing.assert_array_equal(found, right)


def test_accesses_are_as_wide_as_the_alignment_allows():
    ptx = lw.compile(SOURCE, language="cuda").ptx("sm_80")
    assert not re.search(r"\b(?:ld|st)\.[a-z.]*b8\b", ptx)
    one = _body(ptx, "half_full")
    assert "ld.global.v4.b32" in one
    assert not re.search(r"\b(?:ld|st)\.global\.b", one)


def test_accesses_have_256_bits_where_the_target_has_them(tmp_path: Path):
    """PTX 8.8 has them, which sm_100 doesn't need otherwise."""
    module = lw.compile(SOURCE, language="cuda")
    wide = _body(module.ptx("sm_100", 88), "wide")
    assert re.search(r"ld\.global\.v4\.b64", wide)
    assert re.search(r"st\.global\.v4\.b64", wide)
    assert ".v4.b64" not in module.ptx("sm_100") + module.ptx("sm_90", 88)
    if ptxas := shutil.which("ptxas"):
        (tmp_path / "k.ptx").write_text(module.ptx("sm_100", 88))
        subprocess.run([ptxas, "-arch=sm_100", tmp_path / "k.ptx", "-o", tmp_path / "k.cubin"], check=True)


def _aligned(shape: tuple[int, ...]) -> np.ndarray:
    """An array that begins at a multiple of 32."""
    count = int(np.prod(shape))
    memory = np.full(count + 8, 0xAAAAAAAA, np.uint32)
    start = -memory.ctypes.data % 32 // 4
    return memory[start : start + count].reshape(shape)


def _body(ptx: str, name: str) -> str:
    return ptx[ptx.index(f".entry {name}(") :].split("\n}\n")[0]
