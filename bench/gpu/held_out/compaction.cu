// SPDX-License-Identifier: Apache-2.0
// Elements that meet a condition, packed: places by ballots and a counter of the block.
template <typename P> __device__ void keep(int *out, int *count, const int *in, int n, P wanted) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        int value = in[i];
        unsigned who = __ballot_sync(0xffffffffu, wanted(value));
        int lane = threadIdx.x % 32, base = 0;
        if (lane == 0)
            base = atomicAdd(&count[blockIdx.x], __popc(who));
        base = __shfl_sync(0xffffffffu, base, 0);
        if (wanted(value))
            out[blockIdx.x * (n / gridDim.x) + base + __popc(who & ((1u << lane) - 1))] = value;
    }
}

__global__ void compaction(int *out, int *count, const int *in, int n, int limit) {
    keep(out, count, in, n, [=](int v) { return v > limit; });
}
