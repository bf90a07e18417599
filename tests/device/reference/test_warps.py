# SPDX-License-Identifier: Apache-2.0
"""Operations of a warp, as the PTX manual's pseudo-code has them."""

from typing import Any

import numpy as np
import pytest

from lanewise.errors import LaunchError

from .conftest import Make

FULL = "0xffffffffu"


def pseudo_code(mode: str, lane: int, b: int, c: int) -> tuple[int, bool]:
    """PTX ISA, shfl.sync: the lane read, and whether it is in range."""
    bval, cval, mask = b & 0x1F, c & 0x1F, c >> 8 & 0x1F
    last = (lane & mask) | (cval & ~mask)
    first = lane & mask
    match mode:
        case "up":
            j = lane - bval
            in_range = j >= last
        case "down":
            j = lane + bval
            in_range = j <= last
        case "bfly":
            j = lane ^ bval
            in_range = j <= last
        case _:
            j = first | (bval & ~mask)
            in_range = j <= last
    return (j, True) if in_range else (lane, False)


@pytest.mark.parametrize("width", [32, 16, 4, 1])
@pytest.mark.parametrize("b", [0, 1, 3, 16, 31])
@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
def test_shuffles(ir: Make, mode: str, b: int, width: int) -> None:
    c = (32 - width) << 8 | (0 if mode == "up" else 31)
    kernels = ir(f"""
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare {{ i32, i1 }} @llvm.nvvm.shfl.sync.{mode}.i32p(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.sync.{mode}.f32(i32, float, i32, i32)
define ptx_kernel void @k(ptr %out, ptr %floats) {{
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = mul i32 %i, 10
  %r = call {{ i32, i1 }} @llvm.nvvm.shfl.sync.{mode}.i32p(i32 -1, i32 %v, i32 {b}, i32 {c})
  %value = extractvalue {{ i32, i1 }} %r, 0
  %in = extractvalue {{ i32, i1 }} %r, 1
  %wide = zext i1 %in to i32
  %at = getelementptr [2 x i32], ptr %out, i32 %i
  store i32 %value, ptr %at, align 4
  %at1 = getelementptr [2 x i32], ptr %out, i32 %i, i32 1
  store i32 %wide, ptr %at1, align 4
  %f = sitofp i32 %v to float
  %fr = call float @llvm.nvvm.shfl.sync.{mode}.f32(i32 -1, float %f, i32 {b}, i32 {c})
  %fat = getelementptr float, ptr %floats, i32 %i
  store float %fr, ptr %fat, align 4
  ret void
}}
""")
    out, floats = np.zeros((32, 2), np.int32), np.zeros(32, np.float32)
    kernels("k", out, floats, block=32)
    wanted = [pseudo_code(mode, lane, b, c) for lane in range(32)]
    assert out.tolist() == [[10 * source, int(in_range)] for source, in_range in wanted]
    assert floats.tolist() == [10.0 * source for source, _ in wanted]


def run(cuda: Make, expression: str, block: int = 64, type_: Any = np.int32) -> list[Any]:
    """The expression's value in each work-item, i being its number."""
    name = {np.int32: "int", np.uint32: "unsigned", np.float32: "float"}[type_]
    kernels = cuda(f"__global__ void k({name} *out) {{ int i = threadIdx.x; out[i] = {expression}; }}")
    out = np.zeros(block, type_)
    kernels("k", out, block=block)
    return out.tolist()


def test_votes(cuda: Make) -> None:
    assert run(cuda, f"__all_sync({FULL}, i < 40)") == [1] * 32 + [0] * 32
    assert run(cuda, f"__any_sync({FULL}, i == 40)") == [0] * 32 + [1] * 32
    assert (
        run(cuda, f"__ballot_sync({FULL}, i % 32 < 5 || i == 63)", type_=np.uint32) == [31] * 32 + [31 | 1 << 31] * 32
    )


def test_matches(cuda: Make) -> None:
    found = run(cuda, f"__match_any_sync({FULL}, i % 3)", 32, np.uint32)
    assert found == [sum(1 << j for j in range(32) if j % 3 == i % 3) for i in range(32)]
    kernels = cuda("""
__global__ void k(unsigned *out, int *same) {
    out[threadIdx.x] = __match_all_sync(0xffffffffu, threadIdx.x < 40, same + threadIdx.x);
}
""")
    out, same = np.zeros(64, np.uint32), np.zeros(64, np.int32)
    kernels("k", out, same, block=64)
    assert out.tolist() == [0xFFFFFFFF] * 32 + [0] * 32
    assert same.tolist() == [1] * 32 + [0] * 32


@pytest.mark.parametrize(
    ("operation", "wanted"),
    [("add", 32 * 31 // 2 - 32 * 9), ("min", -9), ("max", 22)],
)
def test_reductions(cuda: Make, operation: str, wanted: int) -> None:
    assert run(cuda, f"__reduce_{operation}_sync({FULL}, i - 9)", 32) == [wanted] * 32


def test_reductions_of_unsigned_numbers_and_bits(cuda: Make) -> None:
    assert run(cuda, f"__reduce_max_sync({FULL}, (unsigned)(i - 1))", 32, np.uint32) == [0xFFFFFFFF] * 32
    assert run(cuda, f"__reduce_or_sync({FULL}, 1u << i)", 32, np.uint32) == [0xFFFFFFFF] * 32
    assert run(cuda, f"__reduce_and_sync({FULL}, ~(1u << i))", 32, np.uint32) == [0] * 32
    assert run(cuda, f"__reduce_xor_sync({FULL}, i == 7 ? 5u : 0u)", 32, np.uint32) == [5] * 32


def test_lanes_that_returned_or_never_were_count_as_absent(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(unsigned *out) {
    if (threadIdx.x % 32 >= 20) return;
    out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
}
""")
    out = np.zeros(40, np.uint32)
    kernels("k", out, block=40)
    assert out.tolist() == [(1 << 20) - 1] * 20 + [0] * 12 + [255] * 8


def test_divergent_lanes_meet_by_their_masks(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    int i = threadIdx.x;
    if (i % 2)
        out[i] = __shfl_xor_sync(0xaaaaaaaau, i, 2);
    else
        out[i] = __shfl_xor_sync(0x55555555u, i, 4);
}
""")
    out = np.zeros(32, np.int32)
    kernels("k", out, block=32)
    assert out.tolist() == [i ^ 2 if i % 2 else i ^ 4 for i in range(32)]


def test_the_active_mask_is_of_those_at_the_same_place(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(unsigned *out) {
    if (threadIdx.x < 12)
        out[threadIdx.x] = __activemask();
    else
        out[threadIdx.x] = __activemask();
    __syncthreads();
}
""")
    out = np.zeros(32, np.uint32)
    kernels("k", out, block=32)
    assert out.tolist() == [0xFFF] * 12 + [0xFFFFF000] * 20


def test_a_warp_barrier_orders_memory(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = s[31 - threadIdx.x];
}
""")
    out = np.zeros(32, np.int32)
    kernels("k", out, block=32)
    assert out.tolist() == list(range(31, -1, -1))


def test_volatile_accesses_of_shared_memory_are_in_lock_step(cuda: Make) -> None:
    kernels = cuda("""
__device__ void step(volatile int *s, int by) { s[threadIdx.x] += s[threadIdx.x + by]; }
__global__ void k(int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    s[threadIdx.x + 32] = 0;
    __syncwarp();
    step(s, 1);
    if (threadIdx.x < 20)
        step(s, 4);
    out[threadIdx.x] = s[threadIdx.x];
}
""")
    out = np.zeros(32, np.int32)
    kernels("k", out, block=32)
    first = np.arange(32) + np.r_[1:32, 0]
    assert out.tolist() == (first + np.r_[first[4:24], np.zeros(12, int)]).tolist()


def test_lane_registers(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(unsigned *out) {
    unsigned i = threadIdx.x + blockDim.x * threadIdx.y;
    out[4 * i] = __nvvm_read_ptx_sreg_laneid();
    out[4 * i + 1] = __nvvm_read_ptx_sreg_lanemask_lt();
    out[4 * i + 2] = __nvvm_read_ptx_sreg_lanemask_ge();
    out[4 * i + 3] = __nvvm_read_ptx_sreg_warpid();
}
""")
    out = np.zeros((40, 4), np.uint32)
    kernels("k", out, block=(8, 5, 1))
    wanted = [[i % 32, (1 << i % 32) - 1, 0xFFFFFFFF & ~((1 << i % 32) - 1), i // 32] for i in range(40)]
    assert out.tolist() == wanted


def test_a_shuffle_from_an_absent_lane_has_no_value(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out, int keep) {
    int v = __shfl_down_sync(0xffffffffu, (int)threadIdx.x, 4);
    if (keep || threadIdx.x < 4)
        out[threadIdx.x] = v;
}
""")
    out = np.zeros(8, np.int32)
    kernels("k", out, 0, block=8)
    assert out.tolist() == [4, 5, 6, 7, 0, 0, 0, 0]
    with pytest.raises(
        LaunchError, match=r"^<source>:4: .*thread \(4, 0, 0\): .* a shuffle from lane 8, which takes no"
    ):
        kernels("k", out, 1, block=8)


def test_a_lane_outside_its_mask(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    out[threadIdx.x] = __any_sync(0x7u, 1);
}
""")
    with pytest.raises(
        LaunchError, match=r"^<source>:2: .*thread \(3, 0, 0\): lane 3 executes vote.any.sync with the mask"
    ):
        kernels("k", np.zeros(4, np.int32), block=4)


def test_lanes_that_never_meet(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    if (threadIdx.x == 0)
        out[0] = __any_sync(0xfu, 1);
    __syncthreads();
}
""")
    with pytest.raises(
        LaunchError,
        match=r"1 waits for an operation of the warp at <source>:3 .*; 3 wait for a barrier at <source>:4",
    ):
        kernels("k", np.zeros(4, np.int32), block=4)


def test_a_scan_by_shuffles(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *data) {
    int v = data[threadIdx.x], lane = threadIdx.x % 32;
    for (int d = 1; d < 32; d *= 2) {
        int w = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d) v += w;
    }
    data[threadIdx.x] = v;
}
""")
    data = np.arange(64, dtype=np.int32)
    kernels("k", data, block=64)
    wanted = np.concatenate([np.cumsum(np.arange(32)), np.cumsum(np.arange(32, 64))])
    assert data.tolist() == wanted.tolist()


def test_those_behind_go_first(cuda: Make) -> None:
    """Lanes that took different ways, or different numbers of rounds, are there together behind the branch."""
    kernels = cuda("""
__global__ void k(unsigned *out) {
    int i = threadIdx.x;
    out += 8 * i;
    if (i & 1) out[0] = __activemask();
    out[1] = __activemask();
    for (int k = 0; k < i % 3; ++k) out[2 + k] = __activemask();
    out[4] = __activemask();
    for (int k = 0; k < 2; ++k) {
        out[5] = out[5] * 2 + (__activemask() == 0xff);
        if (i % 4 == k) out[6] = __activemask();
    }
    out[7] = __activemask();
}
""")
    out = np.zeros((8, 8), np.uint32)
    kernels("k", out, block=8)
    odd, round_0, round_1 = 0b10101010, 0b10110110, 0b00100100
    for i, row in enumerate(out.tolist()):
        behind = {0: 0b00010001, 1: 0b00100010}.get(i % 4, 0)
        assert row == [
            odd if i & 1 else 0, 0xFF, round_0 if i % 3 > 0 else 0, round_1 if i % 3 > 1 else 0, 0xFF, 3, behind, 0xFF
        ]  # fmt: skip
