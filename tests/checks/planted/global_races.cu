// SPDX-License-Identifier: Apache-2.0
// Races in global memory: in a warp, between warps and between blocks.

// A blur in place.
// launch: blur_in_place[2, 64](f4([3] * 130), 130)
// told: race of 'a'
__global__ void blur_in_place(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i < n - 1)
        a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3 + i;  // FAULT, MENDED: a[i] = a[i] / 3 + i;
}

// A sum of all blocks into one number, without an atomic operation.
// launch: grand_total[4, 32](f4(1), f4([1] * 128))
// told: race of 'total'
__global__ void grand_total(float *total, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 32 + t];
    __syncthreads();
    if (t == 0) {
        float sum = 0;
        for (int k = 0; k < 32; ++k) sum += s[k];
        *total += sum;  // FAULT, MENDED: atomicAdd(total, sum);
    }
}

// Ages counted in global memory by plain increments.
// launch: ages[2, 64](i4(10), ramp(128, 'i4'))
// told: race of 'bins'
__global__ void ages(int *bins, const int *age) {
    int decade = age[blockIdx.x * blockDim.x + threadIdx.x] / 10 % 10;
    bins[decade] += 1;  // FAULT, MENDED: atomicAdd(&bins[decade], 1);
}

// Blocks that each write a margin of their neighbour's part.
// launch: with_margin[4, 32](i4(160))
// told: race of 'out'
__global__ void with_margin(int *out) {
    int t = threadIdx.x;
    for (int k = t; k < 34; k += 32)  // MENDED: for (int k = t; k < 32; k += 32)
        out[blockIdx.x * 32 + k] = blockIdx.x * 100 + k;  // FAULT
}

// The parents of a breadth-first search: vertices with two of them in one level.
// launch: parents[1, 4](i4([-1] * 8), i4([0, 2, 4, 6, 8]), i4([4, 5, 5, 6, 6, 7, 7, 4]))
// told: race of 'parent'
__global__ void parents(int *parent, const int *starts, const int *edges) {
    int v = threadIdx.x;
    for (int k = starts[v]; k < starts[v + 1]; ++k)
        parent[edges[k]] = v;  // FAULT, MENDED: atomicMax(&parent[edges[k]], v);
}

// All rounds of Floyd and Warshall in one launch of several blocks.
// launch: all_pairs[4, 16](i4([[0 if i == j else 1 if j == (i + 1) % 8 else 99 for j in range(8)] for i in range(8)]), 8)
// told: race of 'd'
__global__ void all_pairs(int *d, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / n, j = (blockIdx.x * blockDim.x + threadIdx.x) % n;
    for (int k = 0; k < n; ++k) {  // MENDED: for (int k = 0; k < 1; ++k) {
        int by = d[i * n + k] + d[k * n + j];  // FAULT
        if (by < d[i * n + j])
            d[i * n + j] = by;  // FAULT
        __syncthreads();
    }
}

// The last block adds up what the others have stored, as if they were done.
// launch: last_adds[4, 32](i4(5))
// told: race of 'parts'
__global__ void last_adds(int *parts) {
    if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x + 1;  // FAULT
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
        int sum = 0;
        for (int k = 0; k < gridDim.x; ++k)  // MENDED: for (int k = 3; k < gridDim.x; ++k)
            sum += parts[k];  // FAULT
        parts[4] = sum;
    }
}

// A scatter by an order that has a place twice.
// launch: scatter[1, 6](f4(6), i4([3, 1, 0, 1, 4, 5]), f4([1, 2, 3, 4, 5, 6]))
// told: race of 'out'
__global__ void scatter(float *out, const int *order, const float *in) {
    int i = threadIdx.x;
    if (i < 6)                    // MENDED: if (i != 3)
        out[order[i]] = in[i];    // FAULT
}

// A counter in global memory that the first thread resets.
// launch: count_odd[2, 64](i4(1), ramp(128, 'i4'))
// told: race of 'count'
__global__ void count_odd(int *count, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        *count = 0;  // FAULT, MENDED: atomicAdd(count, 0);
    if (in[i] % 2)
        atomicAdd(count, 1);  // FAULT
}

// Neighbours in a warp exchange their numbers through the array itself.
// launch: swap_pairs[1, 32](ramp(32, 'i4'))
// told: race of 'a'
__global__ void swap_pairs(int *a) {
    int i = threadIdx.x;
    int other = a[i ^ 1];  // FAULT
    // MENDED: __syncwarp();
    a[i] = other;  // FAULT
}

// A transpose in place by all threads, of which half would do.
// launch: transpose_in_place[(1, 1), (8, 8)](ramp(64, 'f4'))
// told: race of 'm'
__global__ void transpose_in_place(float *m) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x != y) {                           // MENDED: if (x < y) {
        float a = m[y * 8 + x], b = m[x * 8 + y];  // FAULT
        m[y * 8 + x] = b;                   // FAULT
        m[x * 8 + y] = a;                   // FAULT
    }
}

// A wave in a scratch array of the block, with the barrier of a warp.
// launch: wave[2, 64](f4(128), f4(128))
// told: race of 'scratch'
__global__ void wave(float *out, float *scratch) {
    int t = threadIdx.x, first = blockIdx.x * 64;
    scratch[first + t] = t * 0.5f;  // FAULT
    __syncwarp();                   // MENDED: __syncthreads();
    out[first + t] = scratch[first + (t + 32) % 64];  // FAULT
}
