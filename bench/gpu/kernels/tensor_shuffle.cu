// SPDX-License-Identifier: Apache-2.0
// Eigen's shuffle: a tensor of rank 4 with its dimensions in another order, indices in 32 bits.
template <int RANK> struct Order { int extents[RANK], steps[RANK]; };

template <int RANK> __device__ int source_index(int i, const Order<RANK> &order) {
    int at = 0;
#pragma unroll
    for (int d = RANK - 1; d >= 0; d--) {
        at += i % order.extents[d] * order.steps[d];
        i /= order.extents[d];
    }
    return at;
}

__global__ void tensor_shuffle(float *out, const float *in, int a, int b, int c, int d) {
    Order<4> order = {{c, a, d, b}, {d, b * c * d, 1, c * d}};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < a * b * c * d)
        out[i] = in[source_index(i, order)];
}
