// SPDX-License-Identifier: Apache-2.0
// Rodinia's lud: the blocks right of and below the diagonal one, less the product of their row and column.
__global__ void lud_internal(float *m, int dimension, int offset) {
    __shared__ float row[16][16], column[16][16];
    int global_row = offset + (blockIdx.y + 1) * 16, global_column = offset + (blockIdx.x + 1) * 16;
    row[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * dimension + global_column + threadIdx.x];
    column[threadIdx.y][threadIdx.x] = m[(global_row + threadIdx.y) * dimension + offset + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 16; i++)
        sum += column[threadIdx.y][i] * row[i][threadIdx.x];
    m[(global_row + threadIdx.y) * dimension + global_column + threadIdx.x] -= sum;
}
