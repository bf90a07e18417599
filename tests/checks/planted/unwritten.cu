// SPDX-License-Identifier: Apache-2.0
// Reads of shared memory, of a thread's own arrays and of the heap that nobody has written.

// A block turned round, of which only the first n are loaded.
// launch: turn[1, 64](f4(64), f4(60), 60)
// told: unwritten of 'block' by thread 0-3 of block 0
__global__ void turn(float *out, const float *in, int n) {
    __shared__ float block[64];
    int t = threadIdx.x;
    if (t < n) block[t] = in[t];
    // MENDED: else block[t] = 0;
    __syncthreads();
    out[t] = block[63 - t];  // FAULT
}

// A sum over 48 threads by halves of 64.
// launch: sum48[1, 48](f4(1), f4(48))
// told: unwritten of 's' by thread 16-31 of block 0
__global__ void sum48(float *out, const float *in) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    // MENDED: if (t < 16) s[48 + t] = 0;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];  // FAULT
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}

// A cross-shaped halo for a stencil that reads the corners, too.
// launch: corners[(1, 1), (8, 8)](f4(8, 8), f4(10, 10))
// told: unwritten of 'tile' by thread 0,0 of block 0
__global__ void corners(float *out, const float *in) {
    __shared__ float tile[10][10];
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    tile[y][x] = in[y * 10 + x];
    if (x == 1) { tile[y][0] = in[y * 10]; tile[y][9] = in[y * 10 + 9]; }
    if (y == 1) { tile[0][x] = in[x]; tile[9][x] = in[90 + x]; }
    // MENDED: if (x == 1 && y == 1) tile[0][0] = in[0];
    __syncthreads();
    float corner = x + y > 2 ? 0 : tile[y - 1][x - 1];  // FAULT
    out[(y - 1) * 8 + x - 1] = tile[y][x - 1] + tile[y][x + 1] + tile[y - 1][x] + tile[y + 1][x] + corner;
}

// A histogram of a block whose bins nobody sets to zero.
// launch: local_bins[2, 64](i4(2, 16), ramp(128, 'u1'))
// told: unwritten of 'bins' by block 0-1
__global__ void local_bins(int *out, const unsigned char *in) {
    __shared__ int bins[16];
    int t = threadIdx.x;
    if (t < 0)        // MENDED: if (t < 16)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[blockIdx.x * 64 + t] / 16], 1);  // FAULT
    __syncthreads();
    if (t < 16) out[blockIdx.x * 16 + t] = t;
}

// The four best of a row, of which the last place is never filled.
// launch: best_of[1, 8](f4(8), f4(8, 16))
// told: unwritten of 'best' by thread 0-7 of block 0
__global__ void best_of(float *out, const float *in) {
    float best[4];
    for (int k = 0; k < 3; ++k)  // MENDED: for (int k = 0; k < 4; ++k)
        best[k] = -1;
    for (int i = 0; i < 16; ++i) {
        float v = in[threadIdx.x * 16 + i];
        int place = i % 3;
        if (v > best[place]) best[place] = v;
    }
    float least = best[0];
    for (int k = 1; k < 4; ++k) least = fminf(least, best[k]);  // FAULT
    out[threadIdx.x] = least;
}

// A table of the heap that is counted in before it is cleared.
// launch: modes[1, 1](i4(1), i4([3, 1, 3, 2]), 4)
// told: unwritten by thread 0 of block 0
__global__ void modes(int *out, const int *in, int n) {
    int *count = (int *)malloc(n * sizeof(int));
    for (int k = 0; k < n - 1; ++k)  // MENDED: for (int k = 0; k < n; ++k)
        count[k] = 0;
    int most = 0;
    for (int k = 0; k < n; ++k) {
        int seen = count[in[k]];  // FAULT
        if (seen < 2 && in[k] < 3) ++count[in[k]];
        most = max(most, seen);
    }
    *out = most;
    free(count);
}

// A flag that says that something was found, set by those who find.
// launch: any_negative[1, 32](i4(1), i4([1] * 32))
// told: unwritten of 'found' by thread 0 of block 0
__global__ void any_negative(int *out, const int *in) {
    __shared__ int found;
    if (threadIdx.x == 99) found = 0;  // MENDED: if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (in[threadIdx.x] < 0) found = 1;
    __syncthreads();
    if (threadIdx.x == 0) *out = found;  // FAULT
}

// A bitonic step over 64 places for 50 keys.
// launch: bitonic_step[1, 32](i4(64), ramp(50, 'i4'), 50)
// told: unwritten of 'keys' by thread 18-31 of block 0
__global__ void bitonic_step(int *out, const int *in, int n) {
    __shared__ int keys[64];
    int t = threadIdx.x;
    for (int k = t; k < n; k += 32) keys[k] = in[k];
    // MENDED: for (int k = n + t; k < 64; k += 32) keys[k] = INT_MAX;
    __syncthreads();
    int low = keys[t], high = keys[t + 32];  // FAULT
    out[t] = min(low, high);
    out[t + 32] = max(low, high);
}

// Boxes in shared memory whose depth is left out.
struct Box { float width, height, depth; };
// launch: volumes[1, 16](f4(16), f4(16, 2))
// told: unwritten of 'boxes' by thread 0-15 of block 0
__global__ void volumes(float *out, const float *sides) {
    __shared__ Box boxes[16];
    int t = threadIdx.x;
    boxes[t].width = sides[2 * t];
    boxes[t].height = sides[2 * t + 1];
    // MENDED: boxes[t].depth = 1;
    __syncthreads();
    Box *next = &boxes[(t + 1) % 16];
    float area = next->width * next->height;
    out[t] = area * next->depth;  // FAULT
}

// A moving sum over dynamic shared memory, with room for a margin that stays empty.
// launch: moving[2, 32, 36 * 4](f4(64), f4(64))
// told: unwritten of 'row' by thread 0-3 of block 0-1
__global__ void moving(float *out, const float *in) {
    extern __shared__ float row[];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    row[t + 4] = in[i];
    // MENDED: if (t < 4) row[t] = 0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 4; ++k) sum += row[t + k];  // FAULT
    out[i] = sum;
}

// A tiled product of matrices of 12 x 12 in tiles of 8.
// launch: edge_tiles[(2, 2), (8, 8)](f4(12, 12), f4(12, 12), f4(12, 12), 12)
// told: unwritten of 'as' by block 0-1,0-1
__global__ void edge_tiles(float *c, const float *a, const float *b, int n) {
    __shared__ float as[8][8];
    __shared__ float bs[8][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 8 + ty, column = blockIdx.x * 8 + tx;
    float sum = 0;
    for (int first = 8; first < n; first += 8) {
        if (row < n && first + tx < n) as[ty][tx] = a[row * n + first + tx];
        // MENDED: else as[ty][tx] = 0;
        bs[ty][tx] = column < n && first + ty < n ? b[(first + ty) * n + column] : 0;
        __syncthreads();
        for (int k = 0; k < 8; ++k) sum += as[ty][k] * bs[k][tx];  // FAULT
        __syncthreads();
    }
    if (row < n && column < n) c[row * n + column] = sum;
}

// A path through a small graph, whose start is never said to cost nothing.
// launch: shortest[1, 2](i4(2), i4([0, 4, 1, 9, 2, 0, 7, 3, 5]))
// told: unwritten of 'cost' by thread 0-1 of block 0
__global__ void shortest(int *out, const int *edges) {
    int cost[3];
    for (int k = 1; k < 3; ++k)  // MENDED: for (int k = 0; k < 3; ++k)
        cost[k] = 100 * (k > 0);
    for (int round = 0; round < 2; ++round)
        for (int from = 1; from < 3; ++from) {
            int by = cost[from] + edges[from * 3 + 1 + (int)threadIdx.x];
            if (by < cost[1]) cost[1] = by;
        }
    int start = cost[edges[0]];  // FAULT
    out[threadIdx.x] = start + cost[2];
}
