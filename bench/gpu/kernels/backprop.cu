// SPDX-License-Identifier: Apache-2.0
// Rodinia's backprop: products of inputs and weights of a layer, summed in a block by a tree.
__global__ void backprop(const float *input, float *weights, float *partial, int hidden) {
    __shared__ float node[16], matrix[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int at = (hidden + 1) * 16 * blockIdx.y + (hidden + 1) * ty + tx + 1 + hidden + 1;
    if (tx == 0)
        node[ty] = input[16 * blockIdx.y + ty + 1];
    __syncthreads();
    matrix[ty][tx] = weights[at] * node[ty];
    __syncthreads();
    for (int i = 1; i <= 4; i++) {
        int power = 1 << i;
        if (ty % power == 0)
            matrix[ty][tx] += matrix[ty + power / 2][tx];
        __syncthreads();
    }
    weights[at] = matrix[ty][tx];
    if (ty == 0)
        partial[blockIdx.y * hidden + tx] = matrix[0][tx];
}
