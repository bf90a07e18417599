# SPDX-License-Identifier: Apache-2.0
"""`kernel.profile`: what it returns, of kernels in any language, and what it refuses."""

import json

import numpy as np
import pytest

import lanewise as lw

CUDA = """
__global__ void shift(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + 1];
}
"""
OPENCL = """
__kernel void shift(__global float *out, __global const float *in, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i + 1];
}
"""
PTX = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry shift(.param .u64 out, .param .u64 in) {
    .reg .b64 %rd<4>; .reg .b32 %r<3>;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [in];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd1, %rd1, %rd3;
    add.s64 %rd2, %rd2, %rd3;
    ld.global.b32 %r2, [%rd2+4];
    st.global.b32 [%rd1], %r2;
    ret;
}
"""


def arrays(n: int) -> tuple[lw.Buffer, lw.Buffer]:
    return lw.zeros(n, np.float32), lw.to_device(np.arange(n + 1, dtype=np.float32))


@pytest.mark.parametrize(("language", "source"), [("cuda", CUDA), ("opencl", OPENCL)])
def test_a_source_by_its_lines(language: str, source: str):
    out, given = arrays(128)
    profile = lw.compile(source, language=language)["shift"].profile(2, 64, (out, given, 128))
    assert (np.asarray(out) == np.arange(1, 129)).all()
    counters = profile.counters
    assert counters["global_load_requests"] == counters["global_store_requests"] == 4
    assert counters["global_load_sectors"] == 4 * 5  # one element on: a sector more than 128 bytes need
    assert counters["global_load_ideal_sectors"] == counters["global_store_sectors"] == 4 * 4
    assert counters["divergent_branches"] == 0
    assert counters["thread_instructions"] == 32 * counters["warp_instructions"]
    (line,) = [line for line in profile.lines if line.counters["global_load_requests"]]
    assert (line.line, line.text) == (source[: source.index("out[i] =")].count("\n") + 1, "out[i] = in[i + 1];")


def test_ptx_by_its_own_lines():
    out, given = arrays(64)
    profile = lw.compile(PTX, language="ptx")["shift"].profile(1, 64, (out, given))
    assert profile.counters["warp_instructions"] == 2 * 9
    assert profile.instructions == {"load": 6, "integer": 6, "move": 2, "store": 2, "control": 2}
    (load,) = [line for line in profile.lines if line.counters["global_load_requests"]]
    assert load.text == "ld.global.b32 %r2, [%rd2+4];"
    assert load.line == 1 + PTX[: PTX.index("ld.global")].count("\n")


def test_counters_start_anew():
    kernel = lw.compile(CUDA)["shift"]
    out, given = arrays(128)
    first = kernel.profile(2, 64, (out, given, 100))
    assert first.counters["divergent_branches"] == 1  # of the warp from 96 to 127
    assert kernel.profile(2, 64, (out, given, 100)).counters == first.counters
    assert kernel.profile(1, 64, (out, given, 100)).counters["warp_instructions"] < first.counters["warp_instructions"]


def test_as_text_and_as_data():
    out, given = arrays(128)
    profile = lw.compile(CUDA)["shift"].profile(2, 64, (out, given, 100))
    text = str(profile)
    assert "2 x 1 x 1, block 64 x 1 x 1" in text
    assert "25% of the branches part the lanes of a warp" in text
    assert text.count("\n") < 30
    data = json.loads(json.dumps(profile.as_json()))
    assert data["counters"]["branches"] == 4
    assert data["advice"] == list(profile.advice)
    assert any("branches" in each for each in data["advice"])


def test_a_worst_line_comes_first():
    source = """
    __global__ void two(float *out, const float *in) {
        out[threadIdx.x] = in[threadIdx.x];
        out[threadIdx.x * 8] = in[threadIdx.x];
    }
    """
    profile = lw.compile(source)["two"].profile(1, 128, (lw.zeros(1024, np.float32), lw.zeros(128, np.float32)))
    assert "stores 8.0 times the sectors that it needs (128 for 16)" in profile.advice[0]


def test_a_shared_load_hides_no_waste():
    """All lanes load one element, which is less than the ideal of 32; the store beside it still is the worst line."""
    source = """
    __global__ void two(float *out, const float *in) {
        float all = in[0] + in[8] + in[16] + in[24];
        for (int i = 0; i < 4; i++) out[threadIdx.x + 128 * i] = all;
        out[threadIdx.x * 8] = in[33] + in[34] + in[35] + in[36] + in[37] + in[38] + in[39] + in[40]
            + in[41] + in[42] + in[43] + in[44] + in[45] + in[46];
    }
    """
    profile = lw.compile(source)["two"].profile(1, 128, (lw.zeros(1024, np.float32), lw.zeros(512, np.float32)))
    assert str(profile).split("line ")[1].splitlines()[1].startswith("5 ")


def test_what_is_refused():
    kernel = lw.compile(CUDA)["shift"]
    out, given = arrays(64)
    with pytest.raises(lw.LaunchError, match="takes 3 arguments"):
        kernel.profile(1, 64, (out, given))
    with pytest.raises(lw.LaunchError, match="2048"):
        kernel.profile(1, 2048, (out, given, 64))
    with pytest.raises(lw.LaunchError, match="shared must be a number of bytes"):
        kernel.profile(1, 64, (out, given, 64), shared=-1)
    with pytest.raises(lw.LaunchError, match="arguments must be a tuple or a list, not 5"):
        kernel.profile(1, 64, 5)  # type: ignore[arg-type]  # what users write is not type-checked
    fixed = np.zeros(64, np.float32)
    fixed.flags.writeable = False
    with pytest.raises(lw.LaunchError, match=r"'out'.*read-only"):
        kernel.profile(1, 64, (fixed, given, 64))
    irreducible = """
    __global__ void jumps(int *out, int n) {
        int k = 0;
        if (threadIdx.x & 1) goto inside;
    again:
        k += threadIdx.x;
    inside:
        k = 3 * k + 1;
        if (k < n) goto again;
        out[threadIdx.x] = k;
    }
    """
    with pytest.raises(lw.CompileError, match=r"jumps can.t be profiled.*irreducible"):
        lw.compile(irreducible)["jumps"].profile(1, 64, (lw.zeros(64, np.int32), 100))


@pytest.mark.parametrize("mapping", ["loop", "threads"])
def test_warps_are_counted_in_lock_step_whatever_the_mapping(mapping: str):
    source = """
    __global__ void rounds(int *out) {
        for (int i = 0; i <= threadIdx.x % 3; ++i) out[threadIdx.x] += i * __activemask();
    }
    """
    found, expected = (
        lw.compile(source, mapping=each)["rounds"].profile(1, 64, (np.zeros(64, np.int32),)).counters
        for each in (mapping, "auto")
    )
    assert found == expected


def test_arguments_are_those_of_the_source():
    """Structures, arrays by their names, local memory in OpenCL C, one array twice."""
    source = """
    struct Pair { float a; int b; };
    __global__ void scaled(float *out, Pair by, const float *in) { out[threadIdx.x] = in[threadIdx.x] * by.a + by.b; }
    """
    kernel = lw.compile(source)["scaled"]
    values = np.arange(32, dtype=np.float32)
    kernel.profile(1, 32, (values, (2.0, 1), values))
    assert (values == np.arange(32) * 2 + 1).all()
    with pytest.raises(lw.LaunchError, match="of argument 'out'"):
        kernel.profile(1, 64, (values, (2.0, 1), np.zeros(64, np.float32)))
    turned = """
    __kernel void turned(__global float *x, __local float *s) {
      int i = get_local_id(0);
      s[i] = x[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      x[i] = s[63 - i];
    }
    """
    x = np.arange(64, dtype=np.float32)
    profile = lw.compile(turned)["turned"].profile(1, 64, (x, lw.local(256)))
    assert (x == np.arange(64)[::-1]).all()
    assert profile.counters["shared_load_wavefronts"] == profile.counters["shared_store_wavefronts"] == 2


@pytest.mark.parametrize("block", [64, (16, 4)])
def test_as_on_the_reference_device(block: int | tuple[int, int]):
    """A barrier of some warps, atomics, a divergent loop, an early return, and indices from memory."""
    source = """
    __global__ void k(float *out, const int *in, int n) {
        __shared__ float s[64];
        int i = threadIdx.x + threadIdx.y * blockDim.x;
        s[i] = in[i];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        if (i < n)
            for (int j = 0; j < (i & 5); j++) out[i] += s[(i * in[j]) & 63];
        if (threadIdx.x > 3) atomicAdd(&out[in[i] & 7], 1.0f);
        __syncthreads();
        if (i == 3) return;
        for (int j = 0; j < n; j++) s[(j + in[j]) & 63] = j;
    }
    """
    kernel = lw.compile(source)["k"]
    given = np.random.default_rng(3).integers(0, 1000, 64).astype(np.int32)
    found, expected = (
        kernel.profile(2, block, (lw.zeros(64, np.float32, each), lw.to_device(given, each), 40), device=each).counters
        for each in ("cpu", "reference")
    )
    assert found == expected
