// SPDX-License-Identifier: Apache-2.0
// SHOC's spmv, ELLPACK-R: rows of different lengths, stored by columns.
__global__ void spmv_ellpack(float *out, const float *__restrict__ values, const float *__restrict__ x,
                             const int *__restrict__ columns, const int *__restrict__ lengths, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        int length = lengths[row];
        for (int k = 0; k < length; k++)
            sum += values[k * rows + row] * x[columns[k * rows + row]];
        out[row] = sum;
    }
}
