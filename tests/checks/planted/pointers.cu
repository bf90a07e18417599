// SPDX-License-Identifier: Apache-2.0
// Null and misaligned pointers, pointers that loops carry or that come from two arrays, and faults inside functions,
// macros and templates.
#include <cuda_fp16.h>

// An optional mask that the launch leaves out.
// launch: apply_mask[1, 32](f4(32), None)
// told: null pointer of 'mask' by thread 0-31 of block 0
__global__ void apply_mask(float *values, const unsigned char *mask) {
    int i = threadIdx.x;
    if (!mask[i])  // FAULT, MENDED: if (mask && !mask[i])
        values[i] = 0;
}

// A norm that is stored if somebody wants it.
// launch: normalise[1, 8](f4([1] * 8), None)
// told: null pointer of 'norm' by thread 0 of block 0
__global__ void normalise(float *v, float *norm) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += v[k] * v[k];
    __syncthreads();
    v[threadIdx.x] *= rsqrtf(sum);
    if (threadIdx.x == 0)  // MENDED: if (threadIdx.x == 0 && norm)
        *norm = sqrtf(sum);  // FAULT
}

// Rows of five numbers read as vectors of four.
// launch: row_sums[1, 3](f4(3), buffer(f4(20)), 5)
// told: misaligned of 'in' by thread 1-2 of block 0
__global__ void row_sums(float *out, const float *in, int pitch) {
    const float *row = in + threadIdx.x * pitch;
    float4 four = *(const float4 *)row;  // FAULT, MENDED: float4 four = make_float4(row[0], row[1], row[2], row[3]);
    out[threadIdx.x] = four.x + four.y + four.z + four.w;
}

// Records of seven bytes, with a number at the fourth.
// launch: parse[1, 4](i4(4), buffer(u1(32)))
// told: misaligned of 'records' by thread 1-3 of block 0
__global__ void parse(int *out, const unsigned char *records) {
    const unsigned char *field = records + 7 * threadIdx.x + 4 - 4 * (threadIdx.x == 0);
    out[threadIdx.x] = *(const int *)field;  // FAULT, MENDED: int value; memcpy(&value, field, 4); out[threadIdx.x] = value;
}

// Doubles after an odd number of floats in one block of shared memory.
// launch: mixed[1, 5](f8(5))
// told: misaligned of 'block' by thread 0-4 of block 0
__global__ void mixed(double *out) {
    __shared__ __align__(16) unsigned char block[80];
    float *few = (float *)block;
    double *many = (double *)(block + 5 * sizeof(float));  // MENDED: double *many = (double *)(block + 6 * sizeof(float));
    int t = threadIdx.x;
    few[t] = t;
    many[t] = t * 0.25;  // FAULT
    out[t] = few[t];
}

// Relaxation between two arrays that change places, of which one is shorter.
// launch: relax[1, 1](f4(10), f4(9), 10, 3)
// told: out of bounds of 'b' by thread 0 of block 0
__global__ void relax(float *a, float *b, int n, int rounds) {
    float *from = a, *to = b;
    for (int r = 0; r < rounds; r += 4) {
        for (int i = 1; i < n; ++i)              // MENDED: for (int i = 1; i < n - 1; ++i)
            to[i] = (from[i - 1] + from[i]) / 2;  // FAULT
        float *other = from;
        from = to;
        to = other;
    }
}

// The length of a text that has no zero at its end.
// launch: length[1, 1](i4(1), text("no end"))
// told: out of bounds of 's' by thread 0 of block 0
__global__ void length(int *out, const char *s) {
    const char *p = s;
    const char *end = s + 6;
    while (*p && end) ++p;  // FAULT, MENDED: while (p < end && *p) ++p;
    *out = p - s;
}

// A bilinear sample whose function looks one row too far.
__device__ __forceinline__ float pixel(const float *image, int pitch, int x, int y) {
    return image[y * pitch + x];  // FAULT
}
__device__ float bilinear(const float *image, int w, int h, float x, float y) {
    int left = (int)x, top = (int)y;
    int right = min(left + 1, w - 1);
    int low = top + 1;  // MENDED: int low = min(top + 1, h - 1);
    float fx = x - left, fy = y - top;
    float upper = (1 - fx) * pixel(image, w, left, top) + fx * pixel(image, w, right, top);
    return (1 - fy) * upper + fy * pixel(image, w, right, low);
}
// launch: zoom[(1, 1), (8, 8)](f4(8, 8), f4(4, 4))
// told: out of bounds of 'in' by thread 0-7,6-7 of block 0
__global__ void zoom(float *out, const float *in) {
    int x = threadIdx.x, y = threadIdx.y;
    out[y * 8 + x] = bilinear(in, 4, 4, x * 0.5f, y * 0.5f);
}

// A template's sum over an array of the thread, with one term too many.
template <typename T, int N> __device__ T total(const T (&terms)[N]) {
    T sum = 0;
    for (int k = 0; k <= N; ++k)  // MENDED: for (int k = 0; k < N; ++k)
        sum += terms[k];          // FAULT
    return sum;
}
// launch: powers[1, 4](i4(4))
// told: out of bounds of 'terms' by thread 0-3 of block 0
__global__ void powers(int *out) {
    int terms[6];
    for (int k = 0, p = 1; k < 6; ++k, p *= (int)threadIdx.x + 1) terms[k] = p;
    out[threadIdx.x] = total(terms);
}

// A macro for elements of a matrix by columns, given a row for a column.
#define AT(m, row, column) m[(column) * 6 + (row)]
// launch: back_substitute[1, 1](f4(6), f4(6, 4))
// told: out of bounds of 'r' by thread 0 of block 0
__global__ void back_substitute(float *x, const float *r) {
    for (int i = 3; i >= 0; --i) {
        float sum = 1;
        for (int k = i + 1; k < 4; ++k)
            sum -= AT(r, i, k) * x[k];
        float pivot = AT(r, i, i + 1);  // FAULT, MENDED: float pivot = AT(r, i, i);
        x[i] = sum / (pivot + 4);
    }
}

// A polynomial by a lambda that takes the coefficients by reference.
// launch: horner[1, 16](f4(16), f4(5), 5)
// told: out of bounds of 'c' by thread 0-15 of block 0
__global__ void horner(float *out, const float *c, int degree) {
    auto at = [&](int k) { return c[k]; };  // FAULT
    float x = threadIdx.x / 16.0f, y = 0;
    for (int k = degree; k >= 0; --k)  // MENDED: for (int k = degree - 1; k >= 0; --k)
        y = y * x + at(k);
    out[threadIdx.x] = y;
}

// A view of a matrix given by value, whose pointer is a member.
struct View { float *data; int rows, columns; };
// launch: diagonal[1, 8](f4(8), (buffer(f4(4, 8)).address, 4, 8))
// told: out of bounds by thread 4-7 of block 0
__global__ void diagonal(float *out, View view) {
    int i = threadIdx.x;
    if (i < view.columns)                          // MENDED: if (i < view.rows)
        out[i] = view.data[i * view.columns + i];  // FAULT
}

// Pixels of four bytes, mixed with the next one of the row.
// launch: soften[(1, 2), 8](u1(2, 8, 4), u1(2, 8, 4))
// told: out of bounds of 'in' by thread 7 of block 0,1
__global__ void soften(uchar4 *out, const uchar4 *in) {
    int i = blockIdx.y * 8 + threadIdx.x;
    uchar4 here = in[i], next = in[i + 1];  // FAULT, MENDED: uchar4 here = in[i], next = in[threadIdx.x < 7 ? i + 1 : i];
    out[i] = make_uchar4((here.x + next.x) / 2, (here.y + next.y) / 2, (here.z + next.z) / 2, here.w);
}

// A product of vectors of half precision, by pairs.
// launch: half_dot[1, 1](f4(1), f2(30), f2(30), 32)
// told: out of bounds of 'a' and 'b' by thread 0 of block 0
__global__ void half_dot(float *out, const __half *a, const __half *b, int n) {
    float sum = 0;
    for (int k = 0; k < n; ++k)  // MENDED: for (int k = 0; k < n - 2; ++k)
        sum += __half2float(a[k]) * __half2float(b[k]);  // FAULT
    *out = sum;
}

// Forces between bodies of a ring, whose last has no next.
// launch: ring_forces[1, 12](f4(12, 3), f4(12, 3))
// told: out of bounds of 'at' by thread 11 of block 0
__global__ void ring_forces(float3 *force, const float3 *at) {
    int i = threadIdx.x;
    int j = i + 1;  // MENDED: int j = (i + 1) % 12;
    float dx = at[j].x - at[i].x;  // FAULT
    force[i] = make_float3(dx / (dx * dx + 1), 0, 0);
}

// Two sorted lists merged by walking pointers, one of which runs over its end.
// launch: merge[1, 1](i4(8), i4([1, 3, 5, 7]), i4([2, 4, 6, 8]))
// told: out of bounds of 'a' by thread 0 of block 0
__global__ void merge(int *out, const int *a, const int *b) {
    const int *i = a, *j = b;
    for (int k = 0; k < 8; ++k) {
        int x = *i, y = *j;  // FAULT, MENDED: int x = i < a + 4 ? *i : 0, y = *j;
        bool from_a = x && x < y;
        out[k] = from_a ? x : y;
        if (from_a) ++i;
        else ++j;
    }
}

// The shorter of two rows is chosen, and read to the length of the longer.
// launch: shorter[1, 1](f4(1), f4(5), f4(7), 5, 7)
// told: out of bounds by thread 0 of block 0
__global__ void shorter(float *out, const float *a, const float *b, int na, int nb) {
    const float *row = na < nb ? a : b;
    int n = max(na, nb);  // MENDED: int n = min(na, nb);
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += row[k];  // FAULT
    *out = sum;
}
