// SPDX-License-Identifier: Apache-2.0
// Barriers that some work-items of a group never come to.

// A barrier inside the guard of an image's edge.
// launch: edge_guard[1, (8, 8)](f4(6, 8), f4(6, 8), 6)
// told: divergent barrier by thread 0,0 of block 0
kernel void edge_guard(global float *out, global const float *in, int h) {
    local float tile[8][8];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = 0;
    if (y < h) {  // MENDED: if (h > 0) {
        tile[y][x] = y < h ? in[y * 8 + x] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);  // FAULT
        if (y < h) out[y * 8 + x] = tile[y ^ 1][x];
    }
}

// Work-items that stop when they have converged, in a loop with a barrier.
// launch: newton[1, 32](f4(32), 6)
// told: divergent barrier of block 0
kernel void newton(global float *out, int rounds) {
    int t = get_local_id(0);
    float x = t + 1, a = t + 1;
    for (int k = 0; k < rounds; ++k) {
        float next = (x + a / x) / 2;
        if (t == 0 && k == 2) break;  // MENDED:
        x = next;
        barrier(CLK_LOCAL_MEM_FENCE);  // FAULT
    }
    out[t] = x;
}

// Loops of different length for different rows of a group.
// launch: triangle[1, (4, 4)](i4(16))
// told: divergent barrier of block 0
kernel void triangle(global int *out) {
    local int sums[16];
    int x = get_local_id(0), y = get_local_id(1), t = y * 4 + x;
    sums[t] = 0;
    for (int k = 0; k <= y; ++k) {  // MENDED: for (int k = 0; k < 4; ++k) {
        sums[t] += k;
        barrier(CLK_LOCAL_MEM_FENCE);  // FAULT
    }
    out[t] = sums[t];
}

// A helper with a barrier, called in one arm.
int group_sum(local int *s, int t) {
    s[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);  // FAULT
    return s[t ^ 1] + s[t];
}
// launch: in_one_arm[2, 16](i4(32), local(64))
// told: divergent barrier by thread 0 of block 0-1
kernel void in_one_arm(global int *out, local int *s) {
    int t = get_local_id(0);
    int v = 0;
    if (t % 4 < 2)  // MENDED: if (t < 16)
        v = group_sum(s, t);
    out[get_global_id(0)] = v;
}

// Two stages of a pipeline by halves of a group, each with its barrier.
// launch: stages[1, 32](f4(32), f4(32))
// told: divergent barrier of block 0
kernel void stages(global float *out, global const float *in) {
    int t = get_local_id(0);
    float v = in[t];
    if (t < 12) {
        v *= 2;
        barrier(CLK_LOCAL_MEM_FENCE);  // FAULT, MENDED:
    } else {
        v += 1;
        barrier(CLK_LOCAL_MEM_FENCE);  // FAULT, MENDED:
    }
    // MENDED: barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = v;
}
