// SPDX-License-Identifier: Apache-2.0
// 2012, Figure 1d: one function takes pointers of global and of shared memory.
__device__ int dot(const int *a, const int *b, int count, int first) {
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += a[k] * b[(first + k) & 127];
    return sum;
}

__global__ void spaces_across_calls(int *out, const int *weights, const int *in, int count) {
    __shared__ int tile[128], scale[64];
    tile[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    if (threadIdx.x < 64)
        scale[threadIdx.x] = weights[threadIdx.x] >> 1;
    __syncthreads();
    out[blockIdx.x * 128 + threadIdx.x] =
        dot(weights, tile, count, threadIdx.x) + dot(scale, tile, count, threadIdx.x) + dot(scale, in, count, threadIdx.x);
}
