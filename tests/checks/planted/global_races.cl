// SPDX-License-Identifier: Apache-2.0
// Races in global memory: between work-items and between work-groups.

// Red and black cells relaxed at once.
// launch: red_black[(2, 2), (4, 4)](f4([3] * 100), 10)
// told: race of 'u'
kernel void red_black(global float *u, int n) {
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1, i = y * n + x;
    if ((x + y) % 2 < 2)  // MENDED: if ((x + y) % 2 == 0)
        u[i] = (u[i - 1] + u[i + 1] + u[i - n] + u[i + n]) / 4 + i;  // FAULT
}

// Degrees of vertices counted from a list of edges.
// launch: degrees[2, 8](i4(6), i4([0, 1, 2, 3, 4, 5, 0, 2, 4, 1, 3, 5, 5, 0, 1, 2]))
// told: race of 'degree'
kernel void degrees(volatile global int *degree, global const int *ends) {
    int v = ends[get_global_id(0)];
    degree[v]++;  // FAULT, MENDED: atomic_inc(&degree[v]);
}

// The minimum of all groups by comparing and storing.
// launch: least_of_all[4, 32](i4([1000]), ramp(128, 'i4'))
// told: race of 'least'
kernel void least_of_all(volatile global int *least, global const int *in) {
    int v = 500 - in[get_global_id(0)];
    if (v < *least)  // FAULT, MENDED:
        *least = v;  // FAULT, MENDED: atomic_min(least, v);
}

// A product by halves of a row in two groups, added without an atomic.
// launch: split_rows[(1, 2), 16](f4(16), f4([[1] * 16] * 32))
// told: race of 'y'
kernel void split_rows(global float *y, global const float *m) {
    int c = get_local_id(0);
    float sum = 0;
    for (int r = 0; r < 16; ++r) sum += m[(get_group_id(1) * 16 + r) * 16 + c];
    if (get_group_id(1) < 2)  // MENDED: if (get_group_id(1) < 1)
        y[c] += sum;          // FAULT
}

// A wavefront in global memory that doesn't wait within the group.
// launch: edit_rows[1, 16](i4(17, 17))
// told: race of 'd'
kernel void edit_rows(global int *d) {
    int j = get_local_id(0) + 1;
    for (int i = 1; i < 17; ++i) {
        d[i * 17 + j] = d[(i - 1) * 17 + j - 1] + i + j;  // FAULT
        // MENDED: barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

// Output places of two groups that overlap by one.
// launch: chunks[3, 8](i4(32))
// told: race of 'out'
kernel void chunks(global int *out) {
    int g = get_group_id(0), t = get_local_id(0);
    int stride = 7;  // MENDED: int stride = 8;
    out[g * stride + t] = g * 10 + t;  // FAULT
}

// Labels of connected cells, spread in place by one work-item for each edge.
// launch: spread[1, 8](ramp(9, 'i4'))
// told: race of 'label'
kernel void spread(global int *label) {
    int e = get_local_id(0);
    int lower = label[e];  // FAULT
    // MENDED: barrier(CLK_GLOBAL_MEM_FENCE);
    label[e + 1] = lower;  // FAULT
}

// A flag with the number of the work-item that found something last.
// launch: found_by[2, 16](i4(1), ramp(32, 'i4'))
// told: race of 'who'
kernel void found_by(volatile global int *who, global const int *in) {
    int i = get_global_id(0);
    if (in[i] % 9 == 4)
        *who = i;  // FAULT, MENDED: atomic_max(who, i);
}

// Points that move into cells by a plain exchange of the cell's first point.
// launch: cell_lists[2, 16](i4([-1] * 4), i4(32), f4([0.1, 1.2, 2.3, 3.4] * 8))
// told: race of 'head'
kernel void cell_lists(volatile global int *head, global int *next, global const float *x) {
    int i = get_global_id(0), cell = (int)x[i];
    int first = head[cell];  // FAULT, MENDED: int first = atomic_xchg(&head[cell], i);
    next[i] = first;
    head[cell] = i;  // FAULT, MENDED:
}
