// SPDX-License-Identifier: Apache-2.0
// The classic uses of tiles in shared memory.
#include "work_item.cuh"

// A square of SIDE x SIDE, by groups of any size.
constexpr int SIDE = 12;

__global__ void transpose(unsigned *out, const unsigned *in) {
    __shared__ unsigned tile[SIDE][SIDE + 1];
    int base = group_id() * SIDE * SIDE;
    for (int i = local_id(); i < SIDE * SIDE; i += local_size())
        tile[i / SIDE][i % SIDE] = in[base + i];
    __syncthreads();
    for (int i = local_id(); i < SIDE * SIDE; i += local_size())
        out[base + i] = tile[i % SIDE][i / SIDE];
}

// C = A B for a row of tiles, each group one tile of C; the inner loop is barrier-free.
__global__ void matrix_product(float *c, const float *a, const float *b, int tiles) {
    __shared__ float left[SIDE][SIDE], right[SIDE][SIDE], sums[SIDE][SIDE];
    int first = local_id(), step = local_size(), size = SIDE * SIDE;
    for (int i = first; i < size; i += step)
        sums[i / SIDE][i % SIDE] = 0;
    for (int k = 0; k < tiles; k++) {
        for (int i = first; i < size; i += step) {
            left[i / SIDE][i % SIDE] = a[(group_id() * tiles + k) * size + i];
            right[i / SIDE][i % SIDE] = b[k * size + i];
        }
        __syncthreads();
        for (int i = first; i < size; i += step) {
            float sum = sums[i / SIDE][i % SIDE];
            for (int j = 0; j < SIDE; j++)
                sum += left[i / SIDE][j] * right[j][i % SIDE];
            sums[i / SIDE][i % SIDE] = sum;
        }
        __syncthreads();
    }
    for (int i = first; i < size; i += step)
        c[group_id() * size + i] = sums[i / SIDE][i % SIDE];
}

// Conway's game of life on a torus.
__global__ void game_of_life(unsigned char *out, const unsigned char *in, int generations) {
    __shared__ unsigned char now[SIDE][SIDE], next[SIDE][SIDE];
    int base = group_id() * SIDE * SIDE;
    for (int i = local_id(); i < SIDE * SIDE; i += local_size())
        now[i / SIDE][i % SIDE] = in[base + i];
    for (int g = 0; g < generations; g++) {
        __syncthreads();
        for (int i = local_id(); i < SIDE * SIDE; i += local_size()) {
            int y = i / SIDE, x = i % SIDE, neighbours = -now[y][x];
            for (int dy = SIDE - 1; dy <= SIDE + 1; dy++)
                for (int dx = SIDE - 1; dx <= SIDE + 1; dx++)
                    neighbours += now[(y + dy) % SIDE][(x + dx) % SIDE];
            next[y][x] = neighbours == 3 || (neighbours == 2 && now[y][x]);
        }
        __syncthreads();
        for (int i = local_id(); i < SIDE * SIDE; i += local_size())
            now[i / SIDE][i % SIDE] = next[i / SIDE][i % SIDE];
    }
    __syncthreads();
    for (int i = local_id(); i < SIDE * SIDE; i += local_size())
        out[base + i] = now[i / SIDE][i % SIDE];
}

// The length of the longest common subsequence of two words: an anti-diagonal a round.
__global__ void wavefront(int *out, const unsigned char *a, const unsigned char *b, int length) {
    __shared__ int table[SIDE + 1][SIDE + 1];
    int g = group_id();
    for (int i = local_id(); i <= length; i += local_size())
        table[i][0] = table[0][i] = 0;
    for (int diagonal = 2; diagonal <= 2 * length; diagonal++) {
        __syncthreads();
        for (int y = max(1, diagonal - length) + local_id(); y <= min(length, diagonal - 1); y += local_size()) {
            int x = diagonal - y;
            table[y][x] = a[g * length + y - 1] == b[g * length + x - 1]
                              ? table[y - 1][x - 1] + 1
                              : max(table[y - 1][x], table[y][x - 1]);
        }
    }
    __syncthreads();
    if (local_id() == 0)
        out[g] = table[length][length];
}

// Gaussian elimination without pivoting: the columns' factors, then the rest of the matrix, for each pivot.
__global__ void lu_decomposition(double *out, const double *in) {
    __shared__ double m[SIDE][SIDE];
    int base = group_id() * SIDE * SIDE;
    for (int i = local_id(); i < SIDE * SIDE; i += local_size())
        m[i / SIDE][i % SIDE] = in[base + i];
    __syncthreads();
    for (int k = 0; k < SIDE - 1; k++) {
        for (int row = k + 1 + local_id(); row < SIDE; row += local_size())
            m[row][k] /= m[k][k];
        __syncthreads();
        int side = SIDE - 1 - k;
        for (int i = local_id(); i < side * side; i += local_size()) {
            int row = k + 1 + i / side, column = k + 1 + i % side;
            m[row][column] -= m[row][k] * m[k][column];
        }
        __syncthreads();
    }
    for (int i = local_id(); i < SIDE * SIDE; i += local_size())
        out[base + i] = m[i / SIDE][i % SIDE];
}

// Three-point averages with a halo: neighbours of the group's neighbours at the ends of the line.
__global__ void stencil_with_halo(int *out, const int *in, int count) {
    __shared__ int line[MAX_ITEMS + 2];
    int t = local_id(), n = local_size(), i = global_id();
    if (i < count)
        line[t + 1] = in[i];
    if (t == 0)
        line[0] = i > 0 && i <= count ? in[i - 1] : 0;
    if (i < count && (t == n - 1 || i == count - 1))
        line[t + 2] = i + 1 < count ? in[i + 1] : 0;
    __syncthreads();
    if (i >= count)
        return;
    out[i] = line[t] + 2 * line[t + 1] + line[t + 2];
}
