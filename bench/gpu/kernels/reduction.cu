// SPDX-License-Identifier: Apache-2.0
// SHOC's reduction: a grid-stride loop, sums by warp shuffles, one value per block; a template over the operation.
template <typename T, typename Combine> __device__ T reduced(T value, Combine combine) {
    for (int distance = 16; distance > 0; distance >>= 1)
        value = combine(value, __shfl_down_sync(0xffffffffu, value, distance));
    return value;
}

__global__ void reduction(float *out, const float *in, int n) {
    __shared__ float sums[8];
    auto larger = [](float a, float b) { return a > b ? a : b; };
    float most = -1e30f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x)
        most = larger(most, in[i]);
    most = reduced(most, larger);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = most;
    __syncthreads();
    if (threadIdx.x < 32) {
        most = reduced(threadIdx.x < 8 ? sums[threadIdx.x] : -1e30f, larger);
        if (threadIdx.x == 0)
            out[blockIdx.x] = most;
    }
}
