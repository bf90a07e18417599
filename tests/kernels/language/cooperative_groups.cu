// SPDX-License-Identifier: Apache-2.0
// Cooperative groups. Kernels up to "Warps" need no operation of the warp and run on every device.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

__device__ unsigned rank_in_grid() { return cg::this_grid().thread_rank(); }

// Where each thread stands, in ten numbers.
__global__ void places(unsigned *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    unsigned *own = out + 10 * grid.thread_rank();
    own[0] = block.thread_rank();
    own[1] = block.size() + 1000 * block.num_threads();
    own[2] = block.group_index().x + 10 * block.group_index().y + 100 * block.group_index().z;
    own[3] = block.thread_index().x + 100 * block.thread_index().y + 10000 * block.thread_index().z;
    own[4] = block.dim_threads().x + 100 * block.dim_threads().y + 10000 * block.group_dim().z;
    own[5] = grid.block_rank();
    own[6] = grid.num_blocks() + 1000 * grid.num_threads();
    own[7] = grid.dim_blocks().x + 10 * grid.dim_blocks().y + 100 * grid.group_dim().z;
    own[8] = grid.block_index().x + 10 * grid.block_index().y + 100 * grid.block_index().z;
    own[9] = cg::thread_rank(block) + 100 * cg::group_size(block);
}

// A reduction that knows its group only as such.
__device__ unsigned sum_over(cg::thread_group group, unsigned *scratch, unsigned value) {
    unsigned rank = group.thread_rank();
    scratch[rank] = value;
    group.sync();
    for (unsigned half = group.size() / 2; half > 0; half /= 2) {
        if (rank < half)
            scratch[rank] += scratch[rank + half];
        group.sync();
    }
    return scratch[0];
}

__global__ void sum_of_block(unsigned *out, const unsigned *in) {
    extern __shared__ unsigned scratch[];
    out[rank_in_grid()] = sum_over(cg::this_thread_block(), scratch, in[rank_in_grid()]);
}

__global__ void copy_and_reverse(unsigned *out, const unsigned *in) {
    extern __shared__ unsigned tile[];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in + blockIdx.x * blockDim.x, sizeof(unsigned) * block.size());
    auto token = block.barrier_arrive();
    block.barrier_wait(static_cast<decltype(token) &&>(token));
    cg::wait(block);
    out[rank_in_grid()] = tile[blockDim.x - 1 - threadIdx.x];
}

// Bytes rather than words, and no more than there are.
__global__ void copy_bytes(unsigned char *out, const unsigned char *in) {
    __shared__ unsigned char tile[64];
    auto block = cg::this_thread_block();
    for (unsigned i = block.thread_rank(); i < 64; i += block.size())
        tile[i] = 255;
    cg::sync(block);
    cg::memcpy_async(block, tile + 1, 50, in, 37);
    cg::wait_prior<0>(block);
    for (unsigned i = block.thread_rank(); i < 64; i += block.size())
        out[64 * blockIdx.x + i] = tile[i];
}

__global__ void alone(unsigned *out, const unsigned *in) {
    auto tile = cg::tiled_partition<1>(cg::this_thread_block());
    unsigned v = in[rank_in_grid()];
    int same;
    tile.sync();
    unsigned sum = cg::reduce(tile, v, cg::plus<unsigned>()) + cg::inclusive_scan(tile, v) + tile.shfl(v, 0);
    sum += tile.any(v & 1) + tile.all(v & 1) + tile.ballot(v & 1) + tile.match_any(v) + tile.match_all(v, same);
    out[rank_in_grid()] = sum + tile.size() + tile.thread_rank() + cg::this_thread().size() + tile.meta_group_rank();
}

__global__ void once_a_block(unsigned *out) {
    cg::invoke_one(cg::this_thread_block(), [=](unsigned more) { atomicAdd(out + blockIdx.x, more); }, 3u);
}

// Grids: each step reads what other blocks wrote in the step before.
__global__ void shift_through_grid(unsigned *a, unsigned *b, int steps) {
    cg::grid_group grid = cg::this_grid();
    unsigned rank = grid.thread_rank(), size = grid.size();
    __shared__ unsigned kept;
    if (threadIdx.x == 0)
        kept = blockIdx.x;
    __syncthreads();
    for (int step = 0; step < steps; ++step) {
        b[rank] = a[(rank + 37) % size] + kept;
        grid.sync();
        unsigned *swapped = a;
        a = b;
        b = swapped;
    }
}

__global__ void valid(unsigned *out) { out[rank_in_grid()] = cg::this_grid().is_valid(); }

__global__ void some_blocks_only(unsigned *out) {
    if (blockIdx.x > 0)
        cg::this_grid().sync();
    out[blockIdx.x] = 1;
}

// Warps.
template <unsigned Size> __global__ void tiles(unsigned *out, const unsigned *in) {
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    unsigned v = in[rank_in_grid()], *own = out + 16 * rank_in_grid();
    int same;
    own[0] = tile.shfl(v, 1);
    own[1] = tile.shfl_down(v, 1);
    own[2] = tile.shfl_up(v, 1);
    own[3] = tile.shfl_xor(v, 1);
    own[4] = tile.any(v % 8 == 0);
    own[5] = tile.all(v % 8 != 0);
    own[6] = tile.ballot(v & 1);
    own[7] = tile.match_any(v % 4);
    own[8] = tile.match_all(v % 4, same);
    own[9] = same;
    own[10] = tile.meta_group_rank() + 100 * tile.meta_group_size() + 10000 * tile.thread_rank();
    own[11] = cg::reduce(tile, v, cg::plus<unsigned>());
    own[12] = cg::reduce(tile, v, cg::less<unsigned>()) ^ cg::reduce(tile, v, cg::greater<unsigned>());
    own[13] = cg::inclusive_scan(tile, v);
    own[14] = cg::exclusive_scan(tile, v, cg::bit_xor<unsigned>());
    cg::thread_block_tile<Size> plain = tile;
    own[15] = plain.shfl(plain.meta_group_rank(), 0);
}
template __global__ void tiles<4>(unsigned *, const unsigned *);
template __global__ void tiles<32>(unsigned *, const unsigned *);

struct Three {
    double a;
    short b;
    char c[3];
};

__global__ void nested_tiles(unsigned *out, const unsigned *in) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto tile = cg::tiled_partition<8>(warp);
    unsigned v = in[rank_in_grid()];
    Three three{v * 0.5, (short)v, {1, 2, (char)v}};
    three = tile.shfl(three, 3);
    auto runtime = cg::tiled_partition(cg::this_thread_block(), 16);
    out[rank_in_grid()] = (unsigned)(2 * three.a) + (unsigned short)three.b + (unsigned char)three.c[2] +
                          1000 * tile.meta_group_rank() + 100000 * tile.meta_group_size() + runtime.thread_rank() +
                          runtime.size();
}

__global__ void coalesced(unsigned *out, const unsigned *in) {
    unsigned v = in[rank_in_grid()], *own = out + 12 * rank_in_grid();
    if (v % 3 == 0)
        return;
    auto group = cg::coalesced_threads();
    own[0] = group.size();
    own[1] = group.thread_rank();
    own[2] = group.shfl(v, group.size() - 1);
    own[3] = group.shfl_down(v, 2);
    own[4] = group.shfl_up(v, 2);
    own[5] = group.ballot(v & 1);
    own[6] = group.match_any(v % 4);
    own[7] = cg::reduce(group, v, cg::plus<unsigned>());
    own[8] = cg::inclusive_scan(group, v);
    own[9] = cg::exclusive_scan(group, v);
    auto four = cg::tiled_partition(group, 4);
    own[10] = four.size() + 10 * four.meta_group_rank() + 100 * four.meta_group_size() + 1000 * four.thread_rank();
    own[11] = cg::invoke_one_broadcast(group, [=] { return v; });
}

__global__ void partitions(unsigned *out, const unsigned *in) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned v = in[rank_in_grid()], *own = out + 4 * rank_in_grid();
    auto labelled = cg::labeled_partition(warp, v % 5);
    own[0] = labelled.size() + 100 * labelled.meta_group_size() + 10000 * labelled.meta_group_rank();
    own[1] = cg::reduce(labelled, v, cg::plus<unsigned>());
    auto halves = cg::binary_partition(warp, v & 1);
    own[2] = halves.size() + 100 * halves.thread_rank();
    own[3] = cg::binary_partition(cg::tiled_partition<8>(warp), v & 1).size();
}

// The aggregated atomic of the guide: one addition a group, a different place for each of its threads.
__global__ void append(unsigned *out, unsigned *count, const unsigned *in) {
    unsigned v = in[rank_in_grid()];
    if (v & 1) {
        auto group = cg::coalesced_threads();
        unsigned first = 0;
        if (group.thread_rank() == 0)
            first = atomicAdd(count, group.size());
        out[group.shfl(first, 0) + group.thread_rank()] = v;
    }
}

__global__ void update(unsigned *total, unsigned *out, const unsigned *in) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> sum(*total);
    unsigned v = in[rank_in_grid()];
    out[rank_in_grid()] = cg::exclusive_scan_update(warp, sum, v);
    cg::reduce_update_async(warp, sum, v, cg::plus<unsigned>());
}
