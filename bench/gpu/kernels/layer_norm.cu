// SPDX-License-Identifier: Apache-2.0
// Layer normalisation: a block per row, mean and variance in one pass, by shuffles and shared memory.
__device__ float2 sums_of(float2 v) {
    __shared__ float2 part[8];
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
        v.x += __shfl_xor_sync(0xffffffffu, v.x, d);
        v.y += __shfl_xor_sync(0xffffffffu, v.y, d);
    }
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    v = part[0];
#pragma unroll
    for (int w = 1; w < 8; w++) {
        v.x += part[w].x;
        v.y += part[w].y;
    }
    return v;
}

__global__ void layer_norm(float *__restrict__ out, const float *__restrict__ in, const float *__restrict__ gain,
                           const float *__restrict__ bias, int width, float epsilon) {
    const float *row = in + (long)blockIdx.x * width;
    float2 v = make_float2(0, 0);
    for (int i = threadIdx.x; i < width; i += 256) {
        v.x += row[i];
        v.y += row[i] * row[i];
    }
    v = sums_of(v);
    float mean = v.x / width, scale = rsqrtf(v.y / width - mean * mean + epsilon);
    for (int i = threadIdx.x; i < width; i += 256)
        out[(long)blockIdx.x * width + i] = (row[i] - mean) * scale * gain[i] + bias[i];
}
