// SPDX-License-Identifier: Apache-2.0
// Indices beyond one dimension of an array of shared memory, of a thread or of a structure.

// A tiled product that goes over the edge of both tiles.
// launch: tiled[(2, 2), (8, 8)](f4(16, 16), f4(16, 16), f4(16, 16), 16)
// told: out of bounds of 'as' and 'bs'
__global__ void tiled(float *c, const float *a, const float *b, int n) {
    __shared__ float as[8][8], bs[8][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 8 + ty, column = blockIdx.x * 8 + tx;
    float sum = 0;
    for (int first = 0; first < n; first += 8) {
        as[ty][tx] = a[row * n + first + tx];
        bs[ty][tx] = b[(first + ty) * n + column];
        __syncthreads();
        for (int k = 0; k <= 8; ++k)         // MENDED: for (int k = 0; k < 8; ++k)
            sum += as[ty][k] * bs[k][tx];    // FAULT
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// A cosine transform of rows that asks for a ninth frequency.
__constant__ float cosines[8][8];
// launch: dct_rows[1, (8, 8)](f4(8, 8), f4(8, 8))
// told: out of bounds of 'cosines' by thread 7,0-7 of block 0
__global__ void dct_rows(float *out, const float *in) {
    int u = threadIdx.x, row = threadIdx.y;
    float sum = 0;
    for (int x = 0; x < 8; ++x)
        sum += in[row * 8 + x] * cosines[u + 1][x];  // FAULT, MENDED: sum += in[row * 8 + x] * cosines[u][x];
    out[row * 8 + u] = sum;
}

// Positions and velocities side by side: the fourth coordinate is a velocity.
struct Particle { float position[3], velocity[3]; };
// launch: drift[1, 16](struct(16, ('position', 'f4', 3), ('velocity', 'f4', 3)), 0.5)
// told: out of bounds of 'all' by thread 0-15 of block 0
__global__ void drift(Particle *all, float dt) {
    Particle *p = &all[threadIdx.x];
    for (int d = 0; d < 3; ++d)
        p->position[d + 1] += dt * p->velocity[d];  // FAULT, MENDED: p->position[d] += dt * p->velocity[d];
}

// Points without a cluster have the label -1.
// launch: to_centers[1, 8](f4(8), i4([0, 1, 2, -1, 2, 1, 0, 3]))
// told: out of bounds of 'centers' by thread 3 of block 0
__global__ void to_centers(float *out, const int *labels) {
    __shared__ float centers[4][2];
    int i = threadIdx.x;
    centers[i / 2][i % 2] = i;
    __syncthreads();
    int label = labels[i];
    out[i] = centers[label][0] - centers[label < 0 ? 0 : label][1];  // FAULT, MENDED: out[i] = label < 0 ? 0 : centers[label][0] - centers[label][1];
}

// A histogram for each of four warps, in blocks of five.
// launch: per_warp[1, 160](i4(64), ramp(160, 'u1'))
// told: out of bounds of 'counts' by thread 128-159 of block 0
__global__ void per_warp(int *out, const unsigned char *in) {
    __shared__ int counts[4][64];
    int i = threadIdx.x;
    for (int k = i; k < 256; k += 160) counts[k / 64][k % 64] = 0;
    __syncthreads();
    atomicAdd(&counts[i / 32][in[i] % 64], 1);  // FAULT, MENDED: atomicAdd(&counts[i / 32 % 4][in[i] % 64], 1);
    __syncthreads();
    if (i < 64) out[i] = counts[0][i] + counts[1][i] + counts[2][i] + counts[3][i];
}

// A filter that gathers a window of 3 x 3 and shifts it by one column.
// launch: erode[1, (4, 4)](u1(4, 4), u1(6, 6))
// told: out of bounds of 'window' by block 0
__global__ void erode(unsigned char *out, const unsigned char *in) {
    int x = threadIdx.x, y = threadIdx.y;
    int window[3][3] = {};
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
            window[dy][dx + 1] = in[(y + dy) * 6 + x + dx];  // FAULT, MENDED: window[dy][dx] = in[(y + dy) * 6 + x + dx];
    int least = 255;
    for (int k = 0; k < 9; ++k) least = min(least, window[k / 3][k % 3]);
    out[y * 4 + x] = least;
}

// Differences in x of a brick in shared memory: the last layer has no next one.
// launch: brick_slope[1, (4, 4, 4)](f4(64), f4(64))
// told: out of bounds of 'brick' by thread 3,0-3,0-3 of block 0
__global__ void brick_slope(float *out, const float *in) {
    __shared__ float brick[4][4][4];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, i = (z * 4 + y) * 4 + x;
    brick[z][y][x] = in[i];
    __syncthreads();
    float next = brick[z][y][x + 1];  // FAULT, MENDED: float next = brick[z][y][min(x + 1, 3)];
    out[i] = next - brick[z][y][x];
}

// An edit distance by rows of 17 entries that takes an eighteenth.
// launch: distance[1, 1](i4(1), text("kitten kitten ki"), text("sitting sitting "), 16)
// told: out of bounds of 'rows' by thread 0 of block 0
__global__ void distance(int *out, const char *a, const char *b, int n) {
    int rows[2][17];
    for (int j = 0; j <= n + 1; ++j)  // MENDED: for (int j = 0; j <= n; ++j)
        rows[0][j] = j;               // FAULT
    for (int i = 1; i <= n; ++i) {
        rows[i % 2][0] = i;
        for (int j = 1; j <= n; ++j) {
            int change = rows[(i - 1) % 2][j - 1] + (a[i - 1] != b[j - 1]);
            rows[i % 2][j] = min(change, 1 + min(rows[(i - 1) % 2][j], rows[i % 2][j - 1]));
        }
    }
    *out = rows[n % 2][n];
}

// Children of the nodes of a quadtree, with the fifth of four.
struct Node { int child[4]; int count; };
// launch: count_children[1, 8](i4(8), 4)
// told: out of bounds of 'tree' by thread 0-7 of block 0
__global__ void count_children(int *out, int last) {
    __shared__ Node tree[8];
    int i = threadIdx.x;
    for (int k = 0; k < 4; ++k) tree[i].child[k] = i + k;
    tree[i].count = 0;
    for (int k = 0; k <= last; ++k)           // MENDED: for (int k = 0; k < last; ++k)
        tree[i].count += tree[i].child[k] > 3;  // FAULT
    out[i] = tree[i].count;
}

// A filter given by value, wider than it is.
struct Taps { float weight[5]; int count; };
// launch: fir[1, 32](f4(32), f4(40), ([1, 2, 3, 2, 1], 6))
// told: out of bounds of 'taps' by thread 0-31 of block 0
__global__ void fir(float *out, const float *in, Taps taps) {
    int i = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < taps.count; ++k)       // MENDED: for (int k = 0; k < min(taps.count, 5); ++k)
        sum += taps.weight[k] * in[i + k];     // FAULT
    out[i] = sum;
}

// The neighbours of a cell by a table of four steps, read as if diagonal ones were in it.
// launch: flood[1, (4, 4)](i4(6, 6), 8)
// told: out of bounds of 'step' by block 0
__global__ void flood(int *cells, int directions) {
    const int step[4] = {-1, 1, -6, 6};
    int at = (threadIdx.y + 1) * 6 + threadIdx.x + 1;
    int reached = 0;
    for (int k = 0; k < directions; ++k) {  // MENDED: for (int k = 0; k < directions / 2; ++k) {
        int by = step[k];                   // FAULT
        reached |= cells[at + by] & 1;
    }
    if (reached == 2) cells[0] = 1;
}
