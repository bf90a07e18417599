// SPDX-License-Identifier: Apache-2.0
// Races in shared memory: barriers that are missing or in the wrong place, and plain accesses beside atomic ones.

// A tiled product that loads the next tiles while others still read these.
// launch: tiles[(2, 2), (8, 8)](f4(16, 16), ramp(256, 'f4'), ramp(256, 'f4'), 16)
// told: race of 'as' and 'bs'
__global__ void tiles(float *c, const float *a, const float *b, int n) {
    __shared__ float as[8][8], bs[8][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 8 + ty, column = blockIdx.x * 8 + tx;
    float sum = 0;
    for (int first = 0; first < n; first += 8) {
        as[ty][tx] = a[row * n + first + tx];       // FAULT
        bs[ty][tx] = b[(first + ty) * n + column];  // FAULT
        __syncthreads();
        for (int k = 0; k < 8; ++k)
            sum += as[ty][k] * bs[k][tx];  // FAULT
        // MENDED: __syncthreads();
    }
    c[row * n + column] = sum;
}

// A sum by halves without a barrier in its loop.
// launch: halves[2, 128](f4(2), f4(256))
// told: race of 's'
__global__ void halves(float *out, const float *in) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];  // FAULT
        // MENDED: __syncthreads();
    }
    __syncthreads();
    if (t == 0) out[blockIdx.x] = s[0];
}

// A scan by doubling that reads and writes the same array in one step.
// launch: running_sums[1, 64](i4(64))
// told: race of 'sums'
__global__ void running_sums(int *data) {
    __shared__ int sums[64];
    int t = threadIdx.x;
    sums[t] = data[t];
    __syncthreads();
    for (int by = 1; by < 64; by *= 2) {
        int left = t >= by ? sums[t - by] : 0;  // FAULT
        // MENDED: __syncthreads();
        sums[t] += left;  // FAULT
        __syncthreads();
    }
    data[t] = sums[t];
}

// A histogram of a block by plain increments.
// launch: letters[1, 64](i4(26), text("the quick brown fox jumps over the lazy dog and runs away again"))
// told: race of 'counts'
__global__ void letters(int *out, const char *text) {
    __shared__ int counts[26];
    int t = threadIdx.x;
    if (t < 26) counts[t] = 0;
    __syncthreads();
    if (t < 63 && text[t] >= 'a')
        counts[text[t] - 'a']++;  // FAULT, MENDED: atomicAdd(&counts[text[t] - 'a'], 1);
    __syncthreads();
    if (t < 26) out[t] = counts[t];
}

// A transpose through shared memory, without a barrier between its halves.
// launch: turn_tile[(2, 2), (16, 16)](f4(32, 32), f4(32, 32), 32)
// told: race of 'tile'
__global__ void turn_tile(float *out, const float *in, int n) {
    __shared__ float tile[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x];  // FAULT
    // MENDED: __syncthreads();
    out[(blockIdx.x * 16 + y) * n + blockIdx.y * 16 + x] = tile[x][y];  // FAULT
}

// Relaxation of a rod, in place.
// launch: rod[1, 96](f4([1] * 98), 3)
// told: race of 'u'
__global__ void rod(float *data, int rounds) {
    __shared__ float u[98];
    int i = threadIdx.x + 1;
    u[i] = data[i];
    if (i == 1) { u[0] = data[0]; u[97] = data[97]; }
    __syncthreads();
    for (int k = 0; k < rounds; ++k) {
        float mean = (u[i - 1] + u[i + 1]) / 2;  // FAULT
        // MENDED: __syncthreads();
        u[i] = mean + k;  // FAULT
        __syncthreads();
    }
    data[i] = u[i];
}

// A factor that one thread computes and all use at once.
// launch: scale_by_first[4, 64](f4([3] * 256))
// told: race of 'factor'
__global__ void scale_by_first(float *v) {
    __shared__ float factor;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        factor = 1 / v[i];  // FAULT
    // MENDED: __syncthreads();
    float by = factor;  // FAULT
    __syncthreads();
    v[i] *= by;
}

// A bitonic sort with the barrier before its inner loop rather than in it.
// launch: sort[1, 128](ramp(128, 'i4'))
// told: race of 'keys'
__global__ void sort(int *data) {
    __shared__ int keys[128];
    int t = threadIdx.x;
    keys[t] = 128 - data[t];
    for (int size = 2; size <= 128; size *= 2) {
        __syncthreads();
        for (int by = size / 2; by > 0; by /= 2) {
            int other = t ^ by;
            if (other > t) {
                int a = keys[t], b = keys[other];                              // FAULT
                if ((a > b) == !(t & size)) { keys[t] = b; keys[other] = a; }  // FAULT
            }
            // MENDED: __syncthreads();
        }
    }
    __syncthreads();
    data[t] = keys[t];
}

// Numbers that pass a test are packed; their places come from a plain counter.
// launch: compact[1, 64](i4(65), ramp(64, 'i4'))
// told: race of 'size'
__global__ void compact(int *out, const int *in) {
    __shared__ int size;
    if (threadIdx.x == 0) size = 0;
    __syncthreads();
    int v = in[threadIdx.x];
    if (v % 3 == 0) {
        int at = size++;  // FAULT, MENDED: int at = atomicAdd(&size, 1);
        atomicExch(&out[at], v);
    }
    __syncthreads();
    if (threadIdx.x == 0) out[64] = size;
}

// A softmax whose sum reuses the array of its maximum too early.
// launch: softmax[2, 64](f4(128), f4([1, 2, 3, 4] * 32))
// told: race of 'shared'
__global__ void softmax(float *out, const float *in) {
    __shared__ float shared[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    shared[t] = in[i];
    __syncthreads();
    for (int half = 32; half; half /= 2) {
        if (t < half) shared[t] = fmaxf(shared[t], shared[t + half]);
        __syncthreads();
    }
    float most = shared[0];  // FAULT
    // MENDED: __syncthreads();
    float e = expf(in[i] - most);
    shared[t] = e;  // FAULT
    __syncthreads();
    for (int half = 32; half; half /= 2) {
        if (t < half) shared[t] += shared[t + half];
        __syncthreads();
    }
    out[i] = e / shared[0];
}

// A counter that is reset by one thread while others already count.
// launch: survivors[3, 64](i4(3), ramp(192, 'i4'))
// told: race of 'alive'
__global__ void survivors(int *out, const int *in) {
    __shared__ int alive;
    if (threadIdx.x == 0) alive = 1;
    __syncthreads();
    if (threadIdx.x == 40)
        alive = 0;  // FAULT
    // MENDED: __syncthreads();
    if (in[blockIdx.x * 64 + threadIdx.x] % 2)
        atomicAdd(&alive, 1);  // FAULT
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = alive;
}

// Two buffers in turn, with the barrier before the write rather than after it.
// launch: diffuse[1, 64](f4(64), f4([5] * 64), 4)
// told: race of 'buffers'
__global__ void diffuse(float *out, const float *in, int rounds) {
    __shared__ float buffers[2][64];
    int t = threadIdx.x;
    buffers[0][t] = in[t];
    __syncthreads();
    for (int k = 0; k < rounds; ++k) {
        float v = (buffers[k % 2][(t + 63) % 64] + buffers[k % 2][(t + 1) % 64]) / 2;  // FAULT
        __syncthreads();  // MENDED:
        buffers[1 - k % 2][t] = v + t;  // FAULT
        // MENDED: __syncthreads();
    }
    __syncthreads();
    out[t] = buffers[rounds % 2][t];
}

// What one warp writes and another reads, with a barrier of the warp alone.
// launch: exchange[2, 64](i4(128), ramp(128, 'i4'))
// told: race of 'box'
__global__ void exchange(int *out, const int *in) {
    __shared__ int box[64];
    int t = threadIdx.x;
    box[t] = in[blockIdx.x * 64 + t];  // FAULT
    __syncwarp();                      // MENDED: __syncthreads();
    out[blockIdx.x * 64 + t] = box[63 - t];  // FAULT
}

// Flags of bytes, each thread's beside its neighbour's, read without waiting.
// launch: edges[1, 64](u1(64), f4(64))
// told: race of 'bright'
__global__ void edges(unsigned char *out, const float *in) {
    __shared__ unsigned char bright[64];
    int t = threadIdx.x;
    bright[t] = in[t] > 0.5f ? 255 : t;  // FAULT
    // MENDED: __syncthreads();
    out[t] = t > 0 && bright[t] != bright[t - 1];  // FAULT
}
