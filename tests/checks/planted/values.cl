// SPDX-License-Identifier: Apache-2.0
// Operations without a result: divisions, shifts, overflows and conversions.

// Rates per hour of intervals that may be empty.
// launch: rates[1, 6](i4(6), i4([0, 10, 10, 25, 40, 41, 50]))
// told: division by zero by thread 1 of block 0
kernel void rates(global int *out, global const int *times) {
    int i = get_global_id(0);
    int span = times[i + 1] - times[i];
    out[i] = 3600 / span;  // FAULT, MENDED: out[i] = 3600 / max(span, 1);
}

// Turns to be taken modulo the number of players, in vectors.
// launch: turns[1, 4](i4(4, 4), i4([[3, 3, 3, 3], [2, 0, 2, 2], [1, 1, 1, 1], [5, 5, 5, 5]]))
// told: division by zero by thread 1 of block 0
kernel void turns(global int4 *out, global const int4 *players) {
    int i = get_global_id(0);
    int4 n = players[i];  // MENDED: int4 n = max(players[i], 1);
    out[i] = (int4)(7 + i) % n;  // FAULT
}

// Temperatures scaled by a ratio of which the least number is divided by -1.
// launch: invert[2, 2](i8([5, -2**63, 7, 9]), -1)
// told: overflow by thread 1 of block 0
kernel void invert(global long *v, long by) {
    int i = get_global_id(0);
    long x = v[i];  // MENDED: long x = max(v[i], LONG_MIN + 1);
    v[i] = x / by;  // FAULT
}

// Powers of two, of which some don't fit in a word of 64 bits.
// launch: quantise[1, 4](u8(4), 61)
// told: overflow by thread 2-3 of block 0
kernel void quantise(global ulong *out, int exponent) {
    int i = get_global_id(0);
    float scale = exp2((float)(exponent + i + 1));
    out[i] = (ulong)scale;  // FAULT, MENDED: out[i] = convert_ulong_sat(scale);
}

// Combinations counted in 32 bits.
// launch: binomials[1, 5](i4(5), i4([10, 20, 30, 33, 34]))
// told: overflow by thread 2-4 of block 0
kernel void binomials(global int *out, global const int *n) {
    int i = get_global_id(0), m = n[i];
    int c = 1;  // MENDED: long c = 1;
    for (int k = 1; k <= m / 2; ++k)
        c = c * (m - k + 1) / k;  // FAULT
    out[i] = (int)(c & 0x7fffffff);
}

// Milliseconds since the start of the day, and of the month.
// launch: milliseconds[1, 31](i8(31))
// told: overflow by thread 25-30 of block 0
kernel void milliseconds(global long *out) {
    int day = get_global_id(0);
    int seconds = day * 86400;  // MENDED: long seconds = day * 86400;
    out[day] = seconds * 1000;  // FAULT
}

// A histogram's bin by a conversion of what isn't a number.
// launch: bins_of[1, 4](i4(4), f4([0.5, 0.25, -1, 0.75]))
// told: overflow by thread 2 of block 0
kernel void bins_of(global int *out, global const float *in) {
    int i = get_global_id(0);
    float root = sqrt(in[i]);  // MENDED: float root = sqrt(fmax(in[i], 0.0f));
    out[i] = (int)(root * 16);  // FAULT
}

// Samples of 24 bits to 16, of which one is louder than all.
// launch: loudness[1, 4](i2(4), f4([0.1, -0.5, 1.5, 0.9]))
// told: overflow by thread 2 of block 0
kernel void loudness(global short *out, global const float *in) {
    int i = get_global_id(0);
    float s = in[i] * 32767;
    out[i] = (short)s;  // FAULT, MENDED: out[i] = convert_short_sat(s);
}

// A difference between the ends of the range of integers.
// launch: spans[1, 3](i4(3), i4([5, -2147483648, 7]), i4([9, 2147483647, 8]))
// told: overflow by thread 1 of block 0
kernel void spans(global int *out, global const int *from, global const int *to) {
    int i = get_global_id(0);
    out[i] = to[i] - from[i];  // FAULT, MENDED: out[i] = sub_sat(to[i], from[i]);
}

// A ring's position by an unsigned remainder of its size, which is counted down to 0.
// launch: rings[1, 4](u4(4))
// told: division by zero by thread 3 of block 0
kernel void rings(global uint *out) {
    uint i = get_global_id(0);
    uint size = 3 - i;          // MENDED: uint size = 4 - i;
    out[i] = (i * 17) % size;   // FAULT
}
