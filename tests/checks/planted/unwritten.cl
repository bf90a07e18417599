// SPDX-License-Identifier: Apache-2.0
// Reads of local and private memory that nobody has written.

// Neighbours in a tile, of which the load leaves out the last column.
// launch: slopes[(2, 1), (8, 4)](f4(4, 16), f4(4, 16))
// told: unwritten of 'tile' by thread 6-7,0-3 of block 0-1
kernel void slopes(global float *out, global const float *in) {
    local float tile[4][8];
    int x = get_local_id(0), y = get_local_id(1), g = y * 16 + get_global_id(0);
    if (x < 7)  // MENDED: if (x < 8)
        tile[y][x] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    float next = tile[y][min(x + 1, 7)];  // FAULT
    out[g] = next - in[g];
}

// Local memory of the launch, twice as much as the group fills.
// launch: echo[1, 32](f4(32), f4(32), local(256))
// told: unwritten of 'line' by thread 8-31 of block 0
kernel void echo(global float *out, global const float *in, local float *line) {
    int t = get_local_id(0);
    line[t] = in[t];
    // MENDED: line[t + 32] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = in[t] + line[t + 24] / 2;  // FAULT
}

// A median of five of which four have been read.
// launch: median[1, 6](f4(6), f4(10))
// told: unwritten of 'v' by thread 0-5 of block 0
kernel void median(global float *out, global const float *in) {
    float v[5];
    int g = get_global_id(0);
    for (int k = 0; k < 4; ++k)  // MENDED: for (int k = 0; k < 5; ++k)
        v[k] = in[g + k] * (k + 1);
    int larger = 0;
    for (int k = 0; k < 5; ++k)
        larger += v[k] > 2.5f;  // FAULT
    out[g] = larger;
}

// Counts of digits by a radix pass whose counters start with anything.
// launch: digit_counts[1, 32](i4(4), ramp(32, 'i4'))
// told: unwritten of 'counts' by block 0
kernel void digit_counts(global int *out, global const int *keys) {
    local int counts[4];
    int t = get_local_id(0);
    if (t > 31) counts[t % 4] = 0;  // MENDED: if (t < 4) counts[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&counts[keys[t] & 3]);  // FAULT
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 4) out[t] = 8;
}

// A leader's result that is stored only if the group had work.
// launch: leaders[3, 16](i4(48), i4([4, 0, 7]))
// told: unwritten of 'base' by thread 0-15 of block 1
kernel void leaders(global int *out, global const int *work) {
    local int base;
    int n = work[get_group_id(0)];
    if (get_local_id(0) == 0 && n > 0)  // MENDED: if (get_local_id(0) == 0)
        base = n * 10;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = base + get_local_id(0);  // FAULT
}

// A partial product whose last column of weights stays as it was.
// launch: layer[1, 4](f4(4), f4(4, 3))
// told: unwritten of 'w' by thread 0-3 of block 0
kernel void layer(global float *out, global const float *weights) {
    local float w[4][4];
    int t = get_local_id(0);
    for (int k = 0; k < 3; ++k) w[t][k] = weights[t * 3 + k];
    // MENDED: w[t][3] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += w[(t + 1) % 4][k] * (k + 1);  // FAULT
    out[t] = sum;
}

// A queue of the group whose end is read before anything is in it.
// launch: drain[1, 16](i4(16), ramp(16, 'i4'))
// told: unwritten of 'items' by thread 8 of block 0
kernel void drain(global int *out, global const int *in) {
    local int items[16];
    local int size;
    int t = get_local_id(0);
    if (t == 0) size = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[t] % 2) items[atomic_inc(&size)] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = -1;
    if (t <= size)      // MENDED: if (t < size)
        v = items[t];   // FAULT
    out[t] = v;
}

// A private histogram of nibbles, cleared from the second bin on.
// launch: nibbles[1, 4](i4(4), u4([0x1234, 0x5678, 0x9abc, 0xdef1]))
// told: unwritten of 'seen' by thread 0-3 of block 0
kernel void nibbles(global int *out, global const uint *in) {
    uchar seen[16];
    for (int k = 1; k < 16; ++k)  // MENDED: for (int k = 0; k < 16; ++k)
        seen[k] = 0;
    uint word = in[get_global_id(0)];
    for (; word; word >>= 4) seen[word & 15] = 1;
    int sum = 0;
    for (int k = 0; k < 16; ++k) sum += seen[k];  // FAULT
    out[get_global_id(0)] = sum;
}
