// SPDX-License-Identifier: Apache-2.0
// Null and misaligned pointers, vectors, pointers that loops carry or that come from two buffers, functions and macros.

// A bias that the host has no buffer for.
// launch: dense[1, 8](f4(8), f4(8), None)
// told: null pointer of 'bias' by thread 0-7 of block 0
kernel void dense(global float *out, global const float *in, global const float *bias) {
    int i = get_global_id(0);
    float b = bias[i];  // FAULT, MENDED: float b = bias ? bias[i] : 0;
    out[i] = fmax(in[i] * 2 + b, 0.0f);
}

// Four numbers at a time from an offset that is no multiple of four.
// launch: sum_fours[1, 3](f4(3), buffer(f4(16)), 1)
// told: misaligned of 'in' by thread 0-2 of block 0
kernel void sum_fours(global float *out, global const float *in, int skip) {
    int i = get_global_id(0);
    float4 v = *(global const float4 *)(in + skip + 4 * i);  // FAULT, MENDED: float4 v = vload4(i, in + skip);
    out[i] = v.x + v.y + v.z + v.w;
}

// Sixteen pixels by vload16, of a row that has ten.
// launch: bright_pixels[1, 2](i4(2), u1(26))
// told: out of bounds of 'row' by thread 1 of block 0
kernel void bright_pixels(global int *out, global const uchar *row) {
    int i = get_global_id(0);
    int sum = 0;
    int first = i == 0 ? 0 : 16;  // MENDED: int first = i == 0 ? 0 : 10;
    uchar16 p = vload16(0, row + first);  // FAULT
    out[i] = p.s0 + p.sf;
}

// Colours of four components, with one row more than there is.
// launch: gamma_rows[(1, 3), 4](f4(2, 4, 4))
// told: out of bounds of 'image' by thread 0-3 of block 0,2
kernel void gamma_rows(global float4 *image) {
    int i = get_group_id(1) * 4 + get_local_id(0);
    if (i < 12)  // MENDED: if (i < 8)
        image[i].xyz = sqrt(image[i].xyz);  // FAULT
}

// Halves unpacked by vload_half beyond their end.
// launch: unpack[1, 12](f4(12), f2(10))
// told: out of bounds of 'packed' by thread 10-11 of block 0
kernel void unpack(global float *out, global const half *packed) {
    int i = get_global_id(0);
    if (i < 12)  // MENDED: if (i < 10)
        out[i] = vload_half(i, packed);  // FAULT
}

// A hash of a key of bytes by words, from wherever the key starts.
// launch: hash_keys[1, 4](u4(4), buffer(u1(32)), i4([0, 4, 9, 14]))
// told: misaligned of 'bytes' by thread 2-3 of block 0
kernel void hash_keys(global uint *out, global const uchar *bytes, global const int *starts) {
    int i = get_global_id(0);
    global const uchar *key = bytes + starts[i];
    uint word = *(global const uint *)key;  // FAULT, MENDED: uint word = key[0] | key[1] << 8 | key[2] << 16 | (uint)key[3] << 24;
    out[i] = word * 2654435761u;
}

// A pointer that goes down a column, one row too far.
// launch: column_sums[1, 6](f4(6), f4(5, 6), 5, 6)
// told: out of bounds of 'm' by thread 0-5 of block 0
kernel void column_sums(global float *out, global const float *m, int rows, int columns) {
    global const float *p = m + get_global_id(0);
    global const float *end = p + rows * columns;
    float sum = 0;
    for (; p <= end; p += columns)  // MENDED: for (; p < end; p += columns)
        sum += *p;                  // FAULT
    out[get_global_id(0)] = sum;
}

// A level of a pyramid chosen from two buffers, with the size of the other.
// launch: level[1, 10](f4(10), f4(8), f4(4), 1)
// told: out of bounds of 'coarse' by thread 4-7 of block 0
kernel void level(global float *out, global const float *fine, global const float *coarse, int coarser) {
    global const float *from = coarser ? coarse : fine;
    int i = get_global_id(0);
    if (i < 8)  // MENDED: if (i < (coarser ? 4 : 8))
        out[i] = from[i];  // FAULT
}

// A function that wraps coordinates, and misses negative ones.
float at(global const float *field, int n, int i) {
    return field[i % n];  // FAULT, MENDED: return field[(i + n) % n];
}
// launch: curvature[1, 16](f4(16), f4(16), 16)
// told: out of bounds of 'field' by thread 0 of block 0
kernel void curvature(global float *out, global const float *field, int n) {
    int i = get_global_id(0);
    out[i] = at(field, n, i - 1) - 2 * field[i] + at(field, n, i + 1);
}

// A macro that takes a sum for an index without brackets.
#define CELL(g, x, y) g[y * 8 + x]  // MENDED: #define CELL(g, x, y) g[(y) * 8 + x]
// launch: flip[1, (4, 4)](f4(4, 8), f4(4, 8), 3)
// told: out of bounds of 'g' by thread 0-3,1-3 of block 0
kernel void flip(global float *out, global const float *g, int last) {
    int x = get_local_id(0), y = get_local_id(1);
    out[y * 8 + x] = CELL(g, x, last - y);  // FAULT
}

// Members of a structure through a pointer to the next record.
typedef struct { float2 range; int key, group; } Record;
// launch: gaps[1, 5](f4(5), struct(5, ('range', [('x', 'f4'), ('y', 'f4')]), ('key', 'i4'), ('group', 'i4')))
// told: out of bounds of 'records' by thread 4 of block 0
kernel void gaps(global float *out, global const Record *records) {
    global const Record *here = records + get_global_id(0);
    global const Record *next = here + 1;  // MENDED: global const Record *next = get_global_id(0) < 4 ? here + 1 : here;
    out[get_global_id(0)] = next->range.x - here->range.y;  // FAULT
}
