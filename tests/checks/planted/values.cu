// SPDX-License-Identifier: Apache-2.0
// Operations without a result: divisions, shifts, overflows and conversions.

// Means of classes, of which one has no members.
// launch: means[1, 4](i4(4), i4([10, 20, 30, 40]), i4([2, 0, 3, 5]))
// told: division by zero by thread 1 of block 0
__global__ void means(int *out, const int *sums, const int *counts) {
    int i = threadIdx.x;
    out[i] = sums[i] / counts[i];  // FAULT, MENDED: out[i] = counts[i] ? sums[i] / counts[i] : 0;
}

// Places in a hash table whose size was never set.
// launch: probe[2, 16](u4(32), 0)
// told: division by zero by thread 0-15 of block 0-1
__global__ void probe(unsigned *place, unsigned size) {
    unsigned key = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
    place[blockIdx.x * blockDim.x + threadIdx.x] = key % size;  // FAULT, MENDED: place[blockIdx.x * blockDim.x + threadIdx.x] = size ? key % size : 0;
}

// Directions by division by the sign, with the least integer among them.
// launch: by_sign[1, 4](i4([5, -7, -2**31, 9]))
// told: overflow by thread 2 of block 0
__global__ void by_sign(int *v) {
    int x = v[threadIdx.x];
    int sign = x < 0 ? -1 : 1;
    v[threadIdx.x] = x / sign;  // FAULT, MENDED: v[threadIdx.x] = x == INT_MIN ? INT_MAX : x / sign;
}

// A set of 33 members in a word of 32 bits.
// launch: sets[1, 33](u4(33))
// told: shift by thread 32 of block 0
__global__ void sets(unsigned *out) {
    int member = threadIdx.x;
    out[member] = 1u << member;  // FAULT, MENDED: out[member] = member < 32 ? 1u << member : 0;
}

// A radix sort's digit of the pass before the first.
// launch: digits[1, 16](i4(16), u4([0xabcd] * 16), 0)
// told: shift by thread 0-15 of block 0
__global__ void digits(int *out, const unsigned *keys, int pass) {
    int bits = 4 * (pass - 1);  // MENDED: int bits = 4 * pass;
    out[threadIdx.x] = keys[threadIdx.x] >> bits & 15;  // FAULT
}

// A mask of all that comes before the 64th bit, made by a shift of 64.
// launch: ranks[1, 65](i4(65), 0xf0f0f0f0)
// told: shift by thread 64 of block 0
__global__ void ranks(int *out, unsigned long long present) {
    int i = threadIdx.x;
    unsigned long long before = (1ull << i) - 1;  // FAULT, MENDED: unsigned long long before = i < 64 ? (1ull << i) - 1 : ~0ull;
    out[i] = __popcll(present & before);
}

// The offset of a row in a large matrix, in 32 bits.
// launch: offsets[1, 4](i8(4), 50000, 60000)
// told: overflow by thread 1-3 of block 0
__global__ void offsets(long long *out, int rows, int pitch) {
    int row = rows * (int)threadIdx.x;  // MENDED: long long row = (long long)rows * threadIdx.x;
    out[threadIdx.x] = row * pitch;         // FAULT
}

// Absolute values by negation.
// launch: magnitudes[1, 4](i4([1, -1, -2**31, 2]))
// told: overflow by thread 2 of block 0
__global__ void magnitudes(int *v) {
    int x = v[threadIdx.x];
    if (x < 0)   // MENDED: if (x < 0 && x != INT_MIN)
        x = -x;  // FAULT
    v[threadIdx.x] = x;
}

// A random walk by a generator in signed numbers.
// launch: noise[1, 8](i4(8), 3)
// told: overflow by thread 1-7 of block 0
__global__ void noise(int *out, int rounds) {
    int state = threadIdx.x;  // MENDED: unsigned state = threadIdx.x;
    for (int k = 0; k < rounds; ++k)
        state = state * 1103515245;  // FAULT
    out[threadIdx.x] = state & 0xffff;
}

// Fibonacci numbers up to the 50th in 32 bits.
// launch: fibonacci[1, 50](i4(50))
// told: overflow by thread 47-49 of block 0
__global__ void fibonacci(int *out) {
    int a = 0, b = 1;  // MENDED: unsigned a = 0, b = 1;
    for (int k = 1; k < (int)threadIdx.x; ++k) {
        auto next = a + b;  // FAULT
        a = b;
        b = next;
    }
    out[threadIdx.x] = (int)b;
}

// Energies in fixed point that don't fit.
// launch: fixed_point[1, 4](i4(4), f4([1, 10, 100, 1e6]))
// told: overflow by thread 3 of block 0
__global__ void fixed_point(int *out, const float *energy) {
    float scaled = energy[threadIdx.x] * 65536.0f;
    out[threadIdx.x] = (int)scaled;  // FAULT, MENDED: out[threadIdx.x] = (int)fminf(scaled, 2.1e9f);
}

// Tones brighter than white.
// launch: tone[(2, 1), (4, 4)](u1(4, 8), f4([[0.5] * 8, [1.0] * 8, [1.25] * 8, [0.0] * 8]))
// told: overflow by thread 0-3,2 of block 0-1
__global__ void tone(unsigned char *out, const float *light) {
    int i = threadIdx.y * 8 + blockIdx.x * 4 + threadIdx.x;
    out[i] = (unsigned char)(light[i] * 255);  // FAULT, MENDED: out[i] = (unsigned char)fminf(light[i] * 255, 255);
}

// The level of a logarithm of nothing.
// launch: decibels[1, 3](i4(3), f4([1, 0, 10]))
// told: overflow by thread 1 of block 0
__global__ void decibels(int *out, const float *power) {
    float level = 10 * log10f(power[threadIdx.x]);
    out[threadIdx.x] = (int)level;  // FAULT, MENDED: out[threadIdx.x] = power[threadIdx.x] > 0 ? (int)level : -99;
}
