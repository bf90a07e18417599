// SPDX-License-Identifier: Apache-2.0
// Races in local memory.

// A group's maximum whose steps don't wait for one another.
// launch: group_max[2, 64](f4(2), ramp(128, 'f4'), local(256))
// told: race of 's'
kernel void group_max(global float *out, global const float *in, local float *s) {
    int t = get_local_id(0);
    s[t] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 32; step > 0; step >>= 1) {
        if (t < step)
            s[t] = fmax(s[t], s[t + step]);  // FAULT
        // MENDED: barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) out[get_group_id(0)] = s[0];
}

// Rows of a transform in local memory that the columns read without waiting.
// launch: butterflies[1, (8, 4)](f4(8, 4), f4(8, 4))
// told: race of 'v'
kernel void butterflies(global float *out, global const float *in) {
    local float v[4][8];
    int x = get_local_id(0), y = get_local_id(1);
    v[y][x] = in[y * 8 + x];  // FAULT
    // MENDED: barrier(CLK_LOCAL_MEM_FENCE);
    float other = v[y ^ 1][x];  // FAULT
    out[y * 8 + x] = other - y;
}

// A queue of the group with a plain counter.
// launch: collect[1, 64](i4(64), ramp(64, 'i4'))
// told: race of 'n'
kernel void collect(global int *out, global const int *in) {
    local int n;
    int t = get_local_id(0);
    if (t == 0) n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[t] % 4 == 1) {
        int at = n++;  // FAULT, MENDED: int at = atomic_inc(&n);
        atomic_xchg(&out[at], t);
    }
}

// A pointer-jumping list rank that reads and writes one array.
// launch: list_ranks[1, 32](i4(32), i4([max(0, i - 1) for i in range(32)]))
// told: race of 'next' and 'rank'
kernel void list_ranks(global int *out, global const int *successors) {
    local int next[32], rank[32];
    int t = get_local_id(0);
    next[t] = successors[t];
    rank[t] = next[t] != t;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; round < 5; ++round) {
        int jump = next[t], far = next[jump], add = rank[jump];  // FAULT
        // MENDED: barrier(CLK_LOCAL_MEM_FENCE);
        next[t] = far; rank[t] += add;  // FAULT
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[t] = rank[t];
}

// A scan whose totals of parts are used before they are all there.
// launch: part_totals[1, 64](i4(64), ramp(64, 'i4'))
// told: race of 'totals'
kernel void part_totals(global int *out, global const int *in) {
    local int totals[4];
    int t = get_local_id(0), part = t / 16;
    if (t < 4) totals[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t % 16 == 0) {
        int sum = 0;
        for (int k = 0; k < 16; ++k) sum += in[t + k];
        totals[part] = sum;  // FAULT
    }
    // MENDED: barrier(CLK_LOCAL_MEM_FENCE);
    int before = 0;
    if (t % 16 == 15)
        for (int k = part; k < 4; ++k) before += totals[k];  // FAULT
    out[t] = before;
}

// A tile that the next round loads over one that is still in use.
// launch: convolve_rounds[1, 32](f4(32), f4(96))
// told: race of 'tile'
kernel void convolve_rounds(global float *out, global const float *in) {
    local float tile[32];
    int t = get_local_id(0);
    float sum = 0;
    for (int round = 0; round < 3; ++round) {
        tile[t] = in[round * 32 + t] + round;  // FAULT
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 4; ++k) sum += tile[(t + k) % 32];  // FAULT
        // MENDED: barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[t] = sum;
}

// Bodies of a group: all positions are moved while others still look at them.
// launch: attract[1, 48](f4(48, 2), 2)
// told: race of 'at'
kernel void attract(global float2 *bodies, int steps) {
    local float2 at[48];
    int t = get_local_id(0);
    at[t] = bodies[t] + (float2)(t, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 0; s < steps; ++s) {
        float2 pull = 0;
        for (int k = 0; k < 48; ++k) pull += at[k] - at[t];  // FAULT
        // MENDED: barrier(CLK_LOCAL_MEM_FENCE);
        at[t] += pull * 0.01f;  // FAULT
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    bodies[t] = at[t];
}

// The reset of a counter for the next round, before its value has been taken.
// launch: votes_in_rounds[1, 32](i4(3), ramp(32, 'i4'))
// told: race of 'votes'
kernel void votes_in_rounds(global int *out, global const int *in) {
    local int votes;
    int t = get_local_id(0);
    for (int round = 0; round < 3; ++round) {
        if (t == 31) votes = 0;  // FAULT
        barrier(CLK_LOCAL_MEM_FENCE);
        if (in[t] % (round + 2) == 0)
            atomic_add(&votes, 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t == 0) out[round] = votes;  // FAULT
        // MENDED: barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// An odd-even sort whose phases are not kept apart.
// launch: odd_even[1, 16](ramp(32, 'i4'), 32)
// told: race of 'a'
kernel void odd_even(global int *data, int n) {
    local int a[32];
    int t = get_local_id(0);
    a[2 * t] = 32 - data[2 * t];
    a[2 * t + 1] = 32 - data[2 * t + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int phase = 0; phase < n; ++phase) {
        int i = 2 * t + phase % 2;
        if (i + 1 < n && a[i] > a[i + 1]) { int x = a[i]; a[i] = a[i + 1]; a[i + 1] = x; }  // FAULT
        // MENDED: barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[2 * t] = a[2 * t];
    data[2 * t + 1] = a[2 * t + 1];
}

// Bytes of one word by four work-items, summed by a fifth's read of the word.
// launch: pack[1, 32](u4(8), ramp(32, 'u1'))
// told: race of 'bytes'
kernel void pack(global uint *out, global const uchar *in) {
    local uchar bytes[32] __attribute__((aligned(4)));
    int t = get_local_id(0);
    bytes[t] = in[t];  // FAULT
    // MENDED: barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 8)
        out[t] = ((local uint *)bytes)[t];  // FAULT
}
