// SPDX-License-Identifier: Apache-2.0
// Tiles of more than one warp: what threads of blocks of two dimensions find, in eight numbers.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

struct Pair {
    unsigned least;
    double sum;
};
struct Joined {
    __device__ Pair operator()(Pair a, Pair b) const { return {min(a.least, b.least), a.sum + b.sum}; }
};

template <unsigned Size> __global__ void large_tiles(unsigned *out, const unsigned *in) {
    __shared__ cg::block_tile_memory<128> scratch;
    cg::thread_block block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<Size>(block);
    unsigned rank = block.thread_rank(), value = in[rank], *own = out + 8 * rank;
    own[0] = tile.thread_rank() + 1000 * tile.meta_group_rank() + 100000 * tile.meta_group_size();
    own[1] = cg::reduce(tile, value, cg::plus<unsigned>());
    own[2] = cg::inclusive_scan(tile, value);
    own[3] = cg::exclusive_scan(tile, value, cg::plus<unsigned>());
    own[4] = tile.any(value == 99) + 10 * tile.all(value < 99);
    Pair pair = cg::reduce(tile, Pair{value, value / 2.0}, Joined());
    own[5] = pair.least + 100 * static_cast<unsigned>(2 * pair.sum);
    auto part = cg::tiled_partition<16>(tile);
    own[6] = cg::reduce(part, value, cg::plus<unsigned>()) + 100000 * part.meta_group_rank();
    tile.sync();
    own[7] = out[8 * (rank ^ (Size - 1))] % 1000;
}
template __global__ void large_tiles<64>(unsigned *, const unsigned *);
template __global__ void large_tiles<128>(unsigned *, const unsigned *);
