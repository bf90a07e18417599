// SPDX-License-Identifier: Apache-2.0
// Rodinia's nw: a block of the table of an alignment, by anti-diagonals, in shared memory.
__global__ void needle(int *out, const int *table, const int *reference, int columns, int penalty) {
    __shared__ int temp[17][17], ref[16][16];
    int t = threadIdx.x;
    int corner = columns * 16 * blockIdx.y + 16 * blockIdx.x;
    int at = corner + columns + 1 + t;
    if (t == 0)
        temp[0][0] = table[corner];
    for (int k = 0; k < 16; k++)
        ref[k][t] = reference[at + columns * k];
    temp[t + 1][0] = table[corner + columns * (t + 1)];
    temp[0][t + 1] = table[corner + t + 1];
    __syncthreads();
    for (int m = 0; m < 16; m++) {
        if (t <= m) {
            int x = t + 1, y = m - t + 1;
            temp[y][x] = max(temp[y - 1][x - 1] + ref[y - 1][x - 1], max(temp[y][x - 1], temp[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int m = 14; m >= 0; m--) {
        if (t <= m) {
            int x = t + 16 - m, y = 16 - t;
            temp[y][x] = max(temp[y - 1][x - 1] + ref[y - 1][x - 1], max(temp[y][x - 1], temp[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int k = 0; k < 16; k++)
        out[at + columns * k] = temp[k + 1][t + 1];
}
