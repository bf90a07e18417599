// SPDX-License-Identifier: Apache-2.0
// Accesses beyond buffers that are arguments.

// A prefix of differences that begins one work-item too early.
// launch: differences[4, 32](f4(128), f4(128))
// told: out of bounds of 'x' by thread 0 of block 0
kernel void differences(global float *d, global const float *x) {
    int i = get_global_id(0);
    if (i >= 0)  // MENDED: if (i >= 1)
        d[i] = x[i] - x[i - 1];  // FAULT
}

// A Sobel filter that treats the last row like the others.
// launch: sobel[(2, 2), (8, 8)](f4(16, 16), f4(16, 16), 16, 16)
// told: out of bounds of 'in' by thread 1-7,7 of block 0-1,1
kernel void sobel(global float *out, global const float *in, int w, int h) {
    int x = get_local_id(0) + 8 * get_group_id(0), y = get_global_id(1);
    if (get_local_id(0) < 1 || x > w - 1 || y < 1 || y > h - 1) return;  // MENDED: if (get_local_id(0) < 1 || x > w - 1 || y < 1 || y > h - 2) return;
    float above = in[(y - 1) * w + x];
    float below = in[(y + 1) * w + x];  // FAULT
    out[y * w + x] = fabs(below - above);
}

// A dot product per row with the number of rows for that of columns.
// launch: rows_dot[1, 12](f4(12), f4(12, 5), f4(5), 12, 5)
// told: out of bounds of 'v' by thread 0-11 of block 0
kernel void rows_dot(global float *y, global const float *m, global const float *v, int rows, int columns) {
    int r = get_global_id(0);
    float sum = 0;
    for (int c = 0; c < rows; ++c) {  // MENDED: for (int c = 0; c < columns; ++c) {
        float weight = v[c];          // FAULT
        sum += m[r * columns + c % columns] * weight;
    }
    y[r] = sum;
}

// Run lengths: the last run has no next start.
// launch: run_lengths[1, 6](i4(6), i4([0, 3, 4, 9, 12, 20]))
// told: out of bounds of 'starts' by thread 5 of block 0
kernel void run_lengths(global int *out, global const int *starts) {
    int r = get_global_id(0);
    int end = starts[r + 1];  // FAULT, MENDED: int end = r < 5 ? starts[r + 1] : 24;
    out[r] = end - starts[r];
}

// A queue between stages whose write position is not taken modulo its size.
// launch: enqueue[2, 16](i4(24), i4([4]))
// told: out of bounds of 'ring'
kernel void enqueue(global int *ring, volatile global int *tail) {
    int at = atomic_inc(tail);
    int slot = at;                // MENDED: int slot = at % 24;
    if (at < 28 && at >= 8)
        ring[slot] = get_global_id(0);  // FAULT
}

// An upscaled image whose last column asks for one to its right.
// launch: upscale[(2, 1), (8, 4)](u1(4, 16), u1(8), 8)
// told: out of bounds of 'in' by thread 6-7,0-3 of block 1
kernel void upscale(global uchar *out, global const uchar *in, int w) {
    int x = get_global_id(0), y = get_global_id(1);
    int left = x / 2 + (x >= 14);  // MENDED: int left = x / 2;
    out[y * 2 * w + x] = in[left];  // FAULT
}

// Minima of segments given by their ends, of which one is beyond the data.
// launch: segment_minima[1, 3](f4(3), f4(20), i4([0, 7, 13, 21]))
// told: out of bounds of 'x' by thread 2 of block 0
kernel void segment_minima(global float *out, global const float *x, global const int *ends) {
    int s = get_global_id(0);
    float least = INFINITY;
    for (int k = ends[s]; k < ends[s + 1]; ++k)  // MENDED: for (int k = ends[s]; k < min(ends[s + 1], 20); ++k)
        least = fmin(least, x[k]);               // FAULT
    out[s] = least;
}

// A binary search that may end beside the table.
// launch: lookup[1, 8](i4(8), i4([0, 10, 20, 30, 40]), i4([5, 45, 15, 0, 39, 11, 22, 33]), 5)
// told: out of bounds of 'table' by thread 1 of block 0
kernel void lookup(global int *out, global const int *table, global const int *keys, int n) {
    int i = get_global_id(0), low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (table[middle] < keys[i]) low = middle + 1;
        else high = middle;
    }
    out[i] = table[low];  // FAULT, MENDED: out[i] = low < n ? table[low] : -1;
}

// Frames of a sound that overlap; the last one is not whole.
// launch: energies[5, 16](f4(5), f4(76), 16)
// told: out of bounds of 'sound' by thread 0 of block 4
kernel void energies(global float *out, global const float *sound, int hop) {
    int frame = get_group_id(0);
    if (get_local_id(0) != 0) return;
    float sum = 0;
    for (int k = 0; k < hop; ++k) {  // MENDED: for (int k = 0; k < hop && frame * hop + k < 76; ++k) {
        float s = sound[frame * hop + k];  // FAULT
        sum += s * s;
    }
    out[frame] = sum;
}

// A pooling of 2 x 2 over an image with an odd number of columns.
// launch: pool[(1, 1), (4, 3)](f4(3, 4), f4(5, 7), 7, 5)
// told: out of bounds of 'in' by thread 0-3,2 of block 0
kernel void pool(global float *out, global const float *in, int w, int h) {
    int x = get_global_id(0), y = get_global_id(1);
    float most = -1;
    for (int dy = 0; dy < 2; ++dy)
        for (int dx = 0; dx < 2; ++dx) {
            int row = 2 * y + dy, column = min(2 * x + dx, w - 1);  // MENDED: int row = min(2 * y + dy, h - 1), column = min(2 * x + dx, w - 1);
            most = fmax(most, in[row * w + column]);  // FAULT
        }
    out[y * 4 + x] = most;
}

// Words of a bit set, one for each 32 of n members, with n / 32 words for 100.
// launch: insert[1, 100](u4(3))
// told: out of bounds of 'words' by thread 96-99 of block 0
kernel void insert(volatile global uint *words) {
    int member = get_global_id(0);
    if (member < 100)                                 // MENDED: if (member < 96)
        atomic_or(&words[member / 32], 1u << member % 32);  // FAULT
}

// Unsigned arithmetic that goes below the first element.
// launch: lagged[1, 16](f4(16), f4(16), 3)
// told: out of bounds of 'x' by thread 0-2 of block 0
kernel void lagged(global float *y, global const float *x, uint lag) {
    uint i = get_global_id(0);
    y[i] = x[i - lag];  // FAULT, MENDED: y[i] = i < lag ? 0 : x[i - lag];
}
