// SPDX-License-Identifier: Apache-2.0
// Eigen's reduction of the inner dimension: a warp per row, four elements per lane and turn, a template on the reducer.
struct Largest {
    static __device__ float zero() { return -3.0e38f; }
    static __device__ float apply(float a, float b) { return fmaxf(a, b); }
};

template <typename R> __device__ float inner(const float *row, long n) {
    float value = R::zero();
    long k = threadIdx.x;
    for (; k + 96 < n; k += 128) {
#pragma unroll
        for (int u = 0; u < 4; u++)
            value = R::apply(value, row[k + 32 * u]);
    }
    for (; k < n; k += 32)
        value = R::apply(value, row[k]);
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        value = R::apply(value, __shfl_xor_sync(0xffffffffu, value, d));
    return value;
}

__global__ void tensor_reduction(float *out, const float *in, long rows, long n) {
    long row = (long)blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    float value = inner<Largest>(in + row * n, n);
    if (threadIdx.x == 0)
        out[row] = value;
}
