# SPDX-License-Identifier: Apache-2.0
"""`kernel.info(block)`: what became of a kernel on the CPU."""

import pytest

import lanewise as lw

SOURCE = """
__global__ void plain(float *p) { p[threadIdx.x] *= 2; }
__global__ void keeps(float *out, const float *in, int n) {
    __shared__ float tile[64];
    int i = threadIdx.x;
    if (i >= n) return;
    float twice = in[i] * 2;
    tile[i] = twice;
    __syncthreads();
    out[i] = tile[n - 1 - i] + twice;
}
__device__ float deep(const float *p, int n) { return n ? deep(p, n - 1) + 1 : *p; }
__global__ void calls(float *p) { *p = deep(p, 3); }
__global__ void shuffles(float *p) { *p = __shfl_down_sync(~0u, *p, 1); }
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


def test_a_plain_kernel_has_one_region_and_keeps_nothing(module: lw.Module):
    info = module["plain"].info(block=(8, 4))
    assert info.block == (8, 4, 1)
    assert (len(info.regions), info.kept, info.shared_bytes, info.arena_bytes, info.calls) == (1, (), 0, 0, ())


def test_regions_what_is_kept_and_sizes(module: lw.Module):
    info = module["keeps"].info(64)
    assert len(info.regions) == 2
    assert [(k.use, k.type, k.bytes, k.each) for k in info.kept] == [
        ("live", "i8", 1, True),
        ("value", "i64", 8, False),
        ("value", "float", 4, True),
    ]
    assert info.shared_bytes == 256
    assert info.arena_bytes == 256 + 64 * 5 + 64, "rounded up to 128"
    text = str(info)
    for line in (
        "kernel keeps, block 64 x 1 x 1",
        "kept for each thread, 5 bytes:",
        "  who has not returned: i8, 1 bytes",
        "kept once per block, 8 bytes:",
        "memory of a block: 640 bytes, of which shared: 256",
    ):
        assert line in text.splitlines()


def test_functions_that_are_called(module: lw.Module):
    assert [name for name in module["calls"].info().calls if "deep" in name]


def test_what_the_cpu_cannot_run_is_said():
    module = lw.compile(SOURCE, language="cuda", mapping="loop")
    with pytest.raises(lw.CompileError, match="shuffles"):
        module["shuffles"].info()
