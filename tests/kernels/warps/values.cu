// SPDX-License-Identifier: Apache-2.0
// Votes, matches and reductions: their operands, of every type, and their masks.
#include "warp.cuh"

__global__ void votes(unsigned *out, const unsigned *in, unsigned mask) {
    int i = global_id();
    unsigned v = in[i];
    unsigned *own = out + 12 * i;
    own[0] = __all_sync(FULL, v & 1);
    own[1] = __any_sync(FULL, v & 2);
    own[2] = __uni_sync(FULL, v & 4);
    own[3] = __ballot_sync(FULL, v & 8);
    own[4] = __activemask();
    if (!names(mask, lane_id()))
        return;
    own[5] = __all_sync(mask, v & 1);
    own[6] = __any_sync(mask, v & 2);
    own[7] = __uni_sync(mask, v & 4);
    own[8] = __ballot_sync(mask, v & 8);
    own[9] = __all(v & 1);
    own[10] = __any(v & 2);
    own[11] = __ballot(v & 8);
}

// The same predicate in all lanes, and one that depends on the lane alone.
__global__ void votes_on_the_launch(unsigned *out, unsigned n) {
    unsigned *own = out + 6 * global_id();
    own[0] = __all_sync(FULL, n > 3);
    own[1] = __any_sync(FULL, n > 3);
    own[2] = __ballot_sync(FULL, n > 3);
    own[3] = __ballot_sync(FULL, lane_id() < n);
    own[4] = __ballot_sync(FULL, true);
    own[5] = __popc(__ballot_sync(FULL, lane_id() % 2 == 0));
}

template <class Type> __global__ void matches(unsigned *out, const Type *in, unsigned mask) {
    int i = global_id();
    unsigned *own = out + 6 * i;
    int same;
    own[0] = __match_any_sync(FULL, in[i]);
    own[1] = __match_all_sync(FULL, in[i], &same);
    own[2] = same;
    if (!names(mask, lane_id()))
        return;
    own[3] = __match_any_sync(mask, in[i]);
    own[4] = __match_all_sync(mask, in[i], &same);
    own[5] = same;
}
template __global__ void matches<int>(unsigned *, const int *, unsigned);
template __global__ void matches<unsigned>(unsigned *, const unsigned *, unsigned);
template __global__ void matches<float>(unsigned *, const float *, unsigned);
template __global__ void matches<double>(unsigned *, const double *, unsigned);
template __global__ void matches<long long>(unsigned *, const long long *, unsigned);
template __global__ void matches<unsigned long long>(unsigned *, const unsigned long long *, unsigned);

__device__ inline void reduce(unsigned *own, unsigned mask, unsigned v) {
    int w = static_cast<int>(v);
    own[0] = __reduce_add_sync(mask, v);
    own[1] = __reduce_add_sync(mask, w);
    own[2] = __reduce_min_sync(mask, v);
    own[3] = __reduce_min_sync(mask, w);
    own[4] = __reduce_max_sync(mask, v);
    own[5] = __reduce_max_sync(mask, w);
    own[6] = __reduce_and_sync(mask, v);
    own[7] = __reduce_or_sync(mask, v);
    own[8] = __reduce_xor_sync(mask, v);
}

__global__ void reductions(unsigned *out, const unsigned *in, unsigned mask) {
    int i = global_id();
    reduce(out + 18 * i, FULL, in[i]);
    if (names(mask, lane_id()))
        reduce(out + 18 * i + 9, mask, in[i]);
}

// The same number in all lanes: sums count them.
__global__ void reductions_of_the_launch(unsigned *out, unsigned n) { reduce(out + 9 * global_id(), FULL, n); }

__global__ void lanes(unsigned *out) {
    unsigned *own = out + 7 * global_id();
    own[0] = __nvvm_read_ptx_sreg_laneid();
    own[1] = __nvvm_read_ptx_sreg_warpid();
    own[2] = __nvvm_read_ptx_sreg_lanemask_eq();
    own[3] = __nvvm_read_ptx_sreg_lanemask_lt();
    own[4] = __nvvm_read_ptx_sreg_lanemask_le();
    own[5] = __nvvm_read_ptx_sreg_lanemask_gt();
    own[6] = __nvvm_read_ptx_sreg_lanemask_ge();
}
