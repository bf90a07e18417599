// SPDX-License-Identifier: Apache-2.0
// Accesses beyond arrays that are arguments.

// A blur whose first thread has no left neighbour.
// launch: blur[4, 64](f4(256), f4(256), 256)
// told: out of bounds of 'in' by thread 0 of block 0
__global__ void blur(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = in[i - 1];  // FAULT, MENDED: float left = in[max(i - 1, 0)];
    float right = in[min(i + 1, n - 1)];
    out[i] = (left + in[i] + right) / 3;
}

// The last block of a sum of vectors has more threads than elements.
// launch: saxpy[4, 64](f4(250), f4(250), 2.5, 250)
// told: out of bounds of 'x' and 'y' by thread 58-63 of block 3
__global__ void saxpy(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x < gridDim.x)  // MENDED: if (i < n)
        y[i] += a * x[i];        // FAULT
}

// A grid-stride loop that takes one element too many.
// launch: square_all[2, 32](f4(200), 200)
// told: out of bounds of 'values' by thread 8 of block 0
__global__ void square_all(float *values, int n) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += stride)  // MENDED: for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        values[i] = values[i] * values[i];                                    // FAULT
}

// A transpose with the pitch of the source where that of the result belongs.
// launch: transpose[(3, 1), (16, 16)](f4(48, 16), f4(16, 48), 48, 16)
// told: out of bounds of 'out' by block 1-2
__global__ void transpose(float *out, const float *in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[x * width + y] = in[y * width + x];  // FAULT, MENDED: out[x * height + y] = in[y * width + x];
}

// Sums of blocks, stored as if blocks were counted from 1.
// launch: block_sums[5, 32](i4(5), i4(160))
// told: out of bounds of 'sums' by thread 0 of block 4
__global__ void block_sums(int *sums, const int *in) {
    __shared__ int part[32];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 32 + t];
    __syncthreads();
    for (int half = 16; half; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x + 1] = part[0];  // FAULT, MENDED: sums[blockIdx.x] = part[0];
}

// A histogram by tens of bytes: 250 to 255 belong to a bin that isn't there.
// launch: tens[1, 64](i4(25), ramp(64, 'u1') * 4)
// told: out of bounds of 'bins' by thread 63 of block 0
__global__ void tens(int *bins, const unsigned char *values) {
    int value = values[threadIdx.x];
    atomicAdd(&bins[value / 10], 1);  // FAULT, MENDED: atomicAdd(&bins[min(value / 10, 24)], 1);
}

// A sparse matrix from a Fortran program, which counts columns from 1.
// launch: sparse_rows[1, 4](f4(4), i4([0, 1, 3, 4, 6]), i4([1, 2, 3, 3, 4, 1]), f4(6), f4(4))
// told: out of bounds of 'x' by thread 3 of block 0
__global__ void sparse_rows(float *y, const int *starts, const int *columns, const float *values, const float *x) {
    int row = threadIdx.x;
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k)
        sum += values[k] * x[columns[k]];  // FAULT, MENDED: sum += values[k] * x[columns[k] - 1];
    y[row] = sum;
}

// A search that begins at places where the pattern no longer fits.
// launch: find_all[1, 32](i4(32), text("abcabcabcabcabcabcabcabcabcabcab"), 32, text("abc"), 3)
// told: out of bounds of 'text' by thread 30 of block 0
__global__ void find_all(int *found, const char *text, int n, const char *pattern, int m) {
    int at = threadIdx.x;
    int k = 0;
    if (at < n)                                          // MENDED: if (at + m <= n)
        while (k < m && text[at + k] == pattern[k]) ++k;  // FAULT
    found[at] = k == m;
}

// The Game of Life on a torus, without the torus.
// launch: life[(2, 2), (8, 8)](u1(16, 16), u1(16, 16), 16)
// told: out of bounds of 'now'
__global__ void life(unsigned char *next, const unsigned char *now, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int neighbours = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx || dy)
                neighbours += now[(y + dy) * n + x + dx];  // FAULT, MENDED: neighbours += now[(y + dy + n) % n * n + (x + dx + n) % n];
    next[y * n + x] = neighbours == 3 || (neighbours == 2 && now[y * n + x]);
}

// Odd rounds of a sort by exchanges: the last pair has only one element.
// launch: odd_round[1, 16](ramp(32, 'i4') - 40, 32)
// told: out of bounds of 'a' by thread 15 of block 0
__global__ void odd_round(int *a, int n) {
    int i = 2 * threadIdx.x + 1;
    if (i >= n) return;  // MENDED: if (i + 1 >= n) return;
    int low = a[i];
    int high = a[i + 1];  // FAULT
    if (low > high) {
        a[i] = high;
        a[i + 1] = low;
    }
}

// A breadth-first search whose next frontier is smaller than what is put into it.
// launch: frontier[2, 16](i4(20), i4(1), i4([1] * 32))
// told: out of bounds of 'next'
__global__ void frontier(int *next, int *size, const int *is_new) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (!is_new[v]) return;
    int at = atomicAdd(size, 1);
    if (at >= 0)       // MENDED: if (at < 20)
        next[at] = v;  // FAULT
}

// Written for blocks of 128 threads, launched with 64.
// launch: fixed_block[4, 64](f4(256))
// told: out of bounds of 'out' by thread 0-63 of block 2-3
__global__ void fixed_block(float *out) {
    int i = blockIdx.x * 128 + threadIdx.x;  // MENDED: int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i * 0.5f;                       // FAULT
}

// A copy in reverse order that starts one beyond the end.
// launch: mirror[1, 50](f8(50), f8(50), 50)
// told: out of bounds of 'out' by thread 0 of block 0
__global__ void mirror(double *out, const double *in, int n) {
    int i = threadIdx.x;
    out[n - i] = in[i];  // FAULT, MENDED: out[n - 1 - i] = in[i];
}

// A stencil in three dimensions that leaves no margin in z.
// launch: heat[1, (6, 6, 6)](f4(6, 6, 6), f4(6, 6, 6), 6)
// told: out of bounds of 'u' by thread 1-4,1-4,5 of block 0
__global__ void heat(float *out, const float *u, int n) {
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int i = (z * n + y) * n + x;
    if (x < 1 || y < 1 || z < 1 || x > n - 2 || y > n - 2) return;  // MENDED: if (x < 1 || y < 1 || z < 1 || x > n - 2 || y > n - 2 || z > n - 2) return;
    float around = u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + u[i - n * n];
    out[i] = (around + u[i + n * n]) / 6;  // FAULT
}

// A product of matrices with one step too many.
// launch: product[(2, 2), (8, 8)](f4(16, 16), f4(16, 16), f4(16, 16), 16)
// told: out of bounds of 'a' and 'b'
__global__ void product(float *c, const float *a, const float *b, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k <= n; ++k)  // MENDED: for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];  // FAULT
    c[row * n + column] = sum;
}
