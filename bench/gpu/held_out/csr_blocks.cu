// SPDX-License-Identifier: Apache-2.0
// A sparse matrix of dense 4 x 4 blocks times a vector, a thread per row of a block row.
__global__ void csr_blocks(double *y, const double *values, const int *rows, const int *columns, const double *x) {
    int block_row = blockIdx.x * blockDim.y + threadIdx.y, r = threadIdx.x;
    double sum = 0;
    for (int b = rows[block_row]; b < rows[block_row + 1]; b++) {
        const double *v = values + b * 16 + r * 4, *in = x + columns[b] * 4;
        for (int c = 0; c < 4; c++)
            sum += v[c] * in[c];
    }
    y[block_row * 4 + r] = sum;
}
