// SPDX-License-Identifier: Apache-2.0
// Attention, one query per warp, keys and values in tiles of shared memory, the softmax kept up as tiles come.
template <int HEAD> __device__ float warp_sum(float value) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    return value;
}

__global__ void attention(float *__restrict__ out, const float *__restrict__ q, const float *__restrict__ k,
                          const float *__restrict__ v, int length, float scale) {
    __shared__ float keys[16][64], values[16][64];
    int lane = threadIdx.x, query = blockIdx.x * 4 + threadIdx.y;
    long head = (long)blockIdx.y * length * 64;
    float q0 = q[head + query * 64 + lane] * scale, q1 = q[head + query * 64 + lane + 32] * scale;
    float most = -1e30f, sum = 0, o0 = 0, o1 = 0;
    for (int tile = 0; tile < length; tile += 16) {
        for (int r = threadIdx.y; r < 16; r += 4) {
            keys[r][lane] = k[head + (tile + r) * 64 + lane];
            keys[r][lane + 32] = k[head + (tile + r) * 64 + lane + 32];
            values[r][lane] = v[head + (tile + r) * 64 + lane];
            values[r][lane + 32] = v[head + (tile + r) * 64 + lane + 32];
        }
        __syncthreads();
        for (int r = 0; r < 16; r++) {
            float score = warp_sum<64>(q0 * keys[r][lane] + q1 * keys[r][lane + 32]);
            float larger = fmaxf(most, score), old = expf(most - larger), weight = expf(score - larger);
            sum = sum * old + weight;
            o0 = o0 * old + weight * values[r][lane];
            o1 = o1 * old + weight * values[r][lane + 32];
            most = larger;
        }
        __syncthreads();
    }
    out[head + query * 64 + lane] = o0 / sum;
    out[head + query * 64 + lane + 32] = o1 / sum;
}
