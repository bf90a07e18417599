// SPDX-License-Identifier: Apache-2.0
// Accesses beyond variables of the module, dynamic shared memory, memory of the heap and a thread's own arrays.

// A convolution with five weights whose radius was raised to 3.
#define RADIUS 3
__constant__ float weights[5] = {1, 4, 6, 4, 1};
// launch: convolve[1, 26](f4(26), f4(32))
// told: out of bounds of 'weights' by thread 0-25 of block 0
__global__ void convolve(float *out, const float *in) {
    int i = threadIdx.x;
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        int tap = k + RADIUS;
        if (tap < 7)                              // MENDED: if (tap < 5)
            sum += weights[tap] * in[i + 3 + k];  // FAULT
    }
    out[i] = sum;
}

// Votes for four candidates, and one for a fifth.
__device__ int votes[4];
// launch: count_votes[1, 6](i4([0, 3, 1, 4, 2, 1]))
// told: out of bounds of 'votes' by thread 3 of block 0
__global__ void count_votes(const int *ballots) {
    int choice = ballots[threadIdx.x];
    if (choice >= 0)                   // MENDED: if (choice >= 0 && choice < 4)
        atomicAdd(&votes[choice], 1);  // FAULT
}

// Work that threads append to a list of the module.
__device__ int work[16], work_size;
// launch: append_work[1, 24](24)
// told: out of bounds of 'work' by block 0
__global__ void append_work(int n) {
    int at = atomicAdd(&work_size, 1);
    if (at < n)           // MENDED: if (at < 16)
        work[at] = at;    // FAULT
}

// The first step of a reduction adds what lies beyond the block's elements.
// launch: first_step[2, 64, 64 * 4](f4(2), f4(128))
// told: out of bounds of 'parts' by thread 0-63 of block 0-1
__global__ void first_step(float *out, const float *in) {
    extern __shared__ float parts[];
    int t = threadIdx.x;
    parts[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    float sum = parts[t] + parts[t + blockDim.x];  // FAULT, MENDED: float sum = parts[t] + parts[(t + 32) % blockDim.x];
    if (t == 0) out[blockIdx.x] = sum;
}

// Keys and values share one block of dynamic memory; the launch gives room for the keys and half the values.
// launch: pairs[1, 32, 32 * 6](f4(32))
// told: out of bounds by thread 16-31 of block 0
extern __shared__ char memory[];
__global__ void pairs(float *out) {
    int *keys = (int *)memory;
    float *values = (float *)(keys + 32);
    int t = threadIdx.x;
    keys[t] = 31 - t;
    float v = 0;
    if (t < 32)              // MENDED: if (t < 16)
        values[t] = t * 2;   // FAULT
    __syncthreads();
    if (t < 16) v = values[t];
    out[keys[t]] = v;
}

// A scan that needs two buffers, with memory for one and a half.
// launch: scan[1, 32, 48 * 4](i4(32))
// told: out of bounds of 'buffers' by thread 16-31 of block 0
__global__ void scan(int *data) {
    extern __shared__ int buffers[];
    int t = threadIdx.x;
    int next = t + 32 * (t < 32);  // MENDED: int next = t;
    buffers[next] = data[t];       // FAULT
    __syncthreads();
    if (t == 0)
        for (int k = 0, sum = 0; k < 16; ++k) data[k] = sum += k;
}

// Memory of the heap for n numbers, filled with n + 1.
// launch: primes[1, 1](i4(1), 20)
// told: out of bounds by thread 0 of block 0
__global__ void primes(int *count, int n) {
    char *composite = (char *)malloc(n);
    for (int i = 0; i <= n; ++i)  // MENDED: for (int i = 0; i < n; ++i)
        composite[i] = 0;         // FAULT
    int found = 0;
    for (int p = 2; p < n; ++p) {
        found += !composite[p];
        for (int q = 2 * p; q < n; q += p) composite[q] = 1;
    }
    *count = found;
    free(composite);
}

// A stack of the heap that is popped once too often.
// launch: balanced[1, 1](i4(1), text("(())())"), 7)
// told: out of bounds by thread 0 of block 0
__global__ void balanced(int *out, const char *text, int n) {
    int *open = new int[n];
    int depth = 0, span = 0;
    for (int i = 0; i < n; ++i) {
        if (text[i] == '(') open[depth++] = i;
        else if (depth > -1) span += open[--depth];  // FAULT, MENDED: else if (depth > 0) span += open[--depth];
    }
    *out = span;
    delete[] open;
}

// Lights in constant memory, counted by an argument that says one more.
struct Light { float3 at; float power; };
__constant__ Light lights[3];
// launch: shade[1, 16](f4(16), 4)
// told: out of bounds of 'lights' by thread 0-15 of block 0
__global__ void shade(float *out, int count) {
    float sum = 0;
    for (int k = 0; k < count; ++k)    // MENDED: for (int k = 0; k < count && k < 3; ++k)
        sum += lights[k].power * threadIdx.x;  // FAULT
    out[threadIdx.x] = sum;
}

// A depth-first walk with a stack for seven nodes of a list of nine.
// launch: walk[1, 4](i4(4), 9)
// told: out of bounds of 'stack' by thread 0-3 of block 0
__global__ void walk(int *out, int n) {
    int stack[7];
    int top = 0, sum = 0;
    for (int node = 0; node < n; ++node)
        if (top < 8)               // MENDED: if (top < 7)
            stack[top++] = node * threadIdx.x;  // FAULT
    if (top > 7) top = 7;
    while (top > 0) sum += stack[--top];
    out[threadIdx.x] = sum;
}

// An insertion sort that looks at the element before it knows that there is one.
// launch: insertion[1, 2](i4([4, 3, 2, 1, 1, 2, 3, 4]))
// told: out of bounds of 'a' by thread 0 of block 0
__global__ void insertion(int *data) {
    int a[4];
    for (int k = 0; k < 4; ++k) a[k] = data[threadIdx.x * 4 + k];
    for (int i = 1; i < 4; ++i) {
        int key = a[i], j = i - 1;
        while (a[j] > key && j >= 0) {  // FAULT, MENDED: while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            --j;
        }
        a[j + 1] = key;
    }
    for (int k = 0; k < 4; ++k) data[threadIdx.x * 4 + k] = a[k];
}

// A table of two rounds, addressed as if it were one row.
__device__ unsigned round_keys[2][8];
// launch: encrypt[1, 16](u4(16), 16)
// told: out of bounds of 'round_keys' by thread 8-15 of block 0
__global__ void encrypt(unsigned *blocks, int n) {
    int i = threadIdx.x;
    if (i < n)
        blocks[i] ^= round_keys[1][i];  // FAULT, MENDED: blocks[i] ^= round_keys[i / 8][i % 8];
}
