// SPDX-License-Identifier: Apache-2.0
// Accesses beyond constant variables, local memory that the launch gives, and private arrays.

// Days of a month by a table of twelve, with months counted from 1.
constant int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
// launch: month_days[1, 12](i4(12))
// told: out of bounds of 'days' by thread 11 of block 0
kernel void month_days(global int *out) {
    int month = get_global_id(0) + 1;
    out[month - 1] = days[month];  // FAULT, MENDED: out[month - 1] = days[month - 1];
}

// A scan in local memory that forgets that it needs a place more than work-items.
// launch: exclusive[2, 32](i4(64), ramp(64, 'i4'), local(128))
// told: out of bounds of 'sums' by thread 31 of block 0-1
kernel void exclusive(global int *out, global const int *in, local int *sums) {
    int t = get_local_id(0);
    if (t == 0) sums[0] = 0;
    if (t < 32)  // MENDED: if (t < 31)
        sums[t + 1] = in[get_global_id(0)];  // FAULT
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int k = 0; k <= t; ++k) sum += sums[k];
    out[get_global_id(0)] = sum;
}

// Two local arrays, of which the second is given half the room.
// launch: sort_pairs[1, 16](f4(16), local(64), local(32))
// told: out of bounds of 'values' by thread 8-15 of block 0
kernel void sort_pairs(global float *out, local int *keys, local float *values) {
    int t = get_local_id(0);
    keys[t] = 15 - t;
    if (t < 16)          // MENDED: if (t < 8)
        values[t] = t;   // FAULT
    barrier(CLK_LOCAL_MEM_FENCE);
    out[keys[t]] = values[t % 8];
}

// A base-64 alphabet without its last letter.
constant char alphabet[] = {'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P'};
// launch: encode[1, 8](text("........"), ramp(8, 'u1') * 2 + 2)
// told: out of bounds of 'alphabet' by thread 7 of block 0
kernel void encode(global char *out, global const uchar *in) {
    int t = get_global_id(0);
    out[t] = alphabet[in[t]];  // FAULT, MENDED: out[t] = alphabet[in[t] & 15];
}

// A ray that keeps more hits than it has places for.
// launch: hits[1, 4](f4(4), 6)
// told: out of bounds of 'depth' by thread 0-3 of block 0
kernel void hits(global float *out, int spheres) {
    float depth[5];
    int n = 0;
    for (int s = 0; s < spheres; ++s)
        if (n < 6)  // MENDED: if (n < 5)
            depth[n++] = s + get_global_id(0);  // FAULT
    float nearest = INFINITY;
    for (int k = 0; k < min(n, 5); ++k) nearest = fmin(nearest, depth[k]);
    out[get_global_id(0)] = nearest;
}

// A tile in local memory addressed by the global place.
// launch: by_global_place[3, 16](f4(48), f4(48), local(64))
// told: out of bounds of 'tile' by thread 0-15 of block 1-2
kernel void by_global_place(global float *out, global const float *in, local float *tile) {
    int g = get_global_id(0), t = get_local_id(0);
    tile[t] = in[g];
    float own = tile[t];
    int at = g;  // MENDED: int at = t;
    out[g] = own + tile[at];  // FAULT
}

// A Gaussian in constant memory with a radius that is one more than its table's.
constant float gauss[2][3] = {{0.4f, 0.24f, 0.05f}, {0.2f, 0.2f, 0.2f}};
// launch: gaussian[1, 10](f4(10), f4(16), 1, 3)
// told: out of bounds of 'gauss' by thread 0-9 of block 0
kernel void gaussian(global float *out, global const float *in, int kind, int radius) {
    int i = get_global_id(0);
    float sum = 0;
    for (int k = -radius; k <= radius; ++k) {
        int tap = abs(k);                         // MENDED: int tap = min((int)abs(k), 2);
        sum += gauss[kind][tap] * in[i + 3 + k];  // FAULT
    }
    out[i] = sum;
}

// A stack machine whose program takes off more than it has put on.
constant int code[5] = {1, 2, -1, -1, -1};
// launch: evaluate[1, 2](i4(2))
// told: out of bounds of 'stack' by thread 0-1 of block 0
kernel void evaluate(global int *out) {
    int stack[8] = {0};
    int top = 0, last = 0;
    for (int k = 0; k < 5; ++k)
        if (code[k] > 0) stack[top++] = code[k] + get_global_id(0);
        else if (top > -1) last = stack[--top];  // FAULT, MENDED: else if (top > 0) last = stack[--top];
        else last = 9;
    out[get_global_id(0)] = last;
}
