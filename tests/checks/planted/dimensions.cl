// SPDX-License-Identifier: Apache-2.0
// Indices beyond one dimension of a local or private array, or of one in a structure.

// A box filter over a tile whose margin was forgotten on the right.
// launch: box[(2, 1), (8, 8)](f4(8, 16), f4(8, 16))
// told: out of bounds of 'tile' by thread 7,0-7 of block 0-1
kernel void box(global float *out, global const float *in) {
    local float tile[8][8];
    int x = get_local_id(0), y = get_local_id(1), i = y * 16 + get_global_id(0);
    tile[y][x] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float right = tile[y][x + 1];  // FAULT, MENDED: float right = tile[y][min(x + 1, 7)];
    out[i] = (tile[y][x] + right) / 2;
}

// A table of moves of a knight, with the pair swapped.
// launch: knight[1, 8](i4(8), i4(8, 8))
// told: out of bounds of 'moves' by thread 2-7 of block 0
kernel void knight(global int *out, global const int *board) {
    int moves[2][8] = {{1, 2, 2, 1, -1, -2, -2, -1}, {2, 1, -1, -2, -2, -1, 1, 2}};
    int k = get_global_id(0);
    int row = k, side = 0;  // MENDED: int row = 0, side = k;
    int dx = moves[row][side];  // FAULT
    int dy = moves[1][k];
    out[k] = board[(3 + dy) * 8 + 3 + (dx & 1)];
}

// Counters of four banks, with a bank for each work-item of eight.
// launch: banks[1, 32](i4(4), ramp(32, 'i4'))
// told: out of bounds of 'bank' by thread 4-7 of block 0
kernel void banks(global int *out, global const int *in) {
    local int bank[4][16];
    int t = get_local_id(0);
    bank[t / 8][t % 8] = 0;
    bank[t / 8][t % 8 + 8] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int which = t < 8 ? t : t % 4;      // MENDED: int which = t % 4;
    atomic_add(&bank[which][in[t] % 16], 1);  // FAULT
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 4) out[t] = bank[t][0] + bank[t][8];
}

// Moments of a distribution, of which five are asked and four kept.
// launch: moments[1, 4](f4(4), f4(4, 8), 5)
// told: out of bounds of 'm' by thread 0-3 of block 0
kernel void moments(global float *out, global const float *in, int orders) {
    float m[4] = {0, 0, 0, 0};
    for (int k = 0; k < 8; ++k) {
        float v = in[get_global_id(0) * 8 + k], p = 1;
        for (int o = 0; o < orders; ++o, p *= v)  // MENDED: for (int o = 0; o < min(orders, 4); ++o, p *= v)
            m[o] += p;                            // FAULT
    }
    out[get_global_id(0)] = m[0] + m[1] + m[2] + m[3];
}

// Bones that move a vertex: up to four, of which a fifth is asked.
typedef struct { float weight[4]; int bone[4]; } Skin;
// launch: skin[1, 6](f4(6), struct(6, ('weight', 'f4', 4), ('bone', 'i4', 4)), f4(3))
// told: out of bounds of 'skins' by thread 0-5 of block 0
kernel void skin(global float *out, global const Skin *skins, global const float *poses) {
    int v = get_global_id(0);
    float at = 0;
    for (int k = 0; k < 5; ++k)  // MENDED: for (int k = 0; k < 4; ++k)
        at += skins[v].weight[k];  // FAULT
    out[v] = at * poses[skins[v].bone[0]];
}

// A wavefront over a table of partial sums that begins in row -1.
// launch: wavefront[1, 8](i4(8))
// told: out of bounds of 'table' by thread 0 of block 0
kernel void wavefront(global int *out) {
    local int table[8][8];
    int t = get_local_id(0);
    for (int k = 0; k < 8; ++k) table[t][k] = t + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    int above = table[t - 1][7];  // FAULT, MENDED: int above = t > 0 ? table[t - 1][7] : 0;
    out[t] = above;
}

// Faces of a cube of cells: one is read behind the cube.
// launch: faces[1, (3, 3, 3)](f4(27))
// told: out of bounds of 'cube' by thread 0-2,0-2,2 of block 0
kernel void faces(global float *out) {
    local float cube[3][3][3];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    cube[z][y][x] = x + y * z;
    barrier(CLK_LOCAL_MEM_FENCE);
    float behind = cube[z + 1][y][x];  // FAULT, MENDED: float behind = cube[(z + 1) % 3][y][x];
    out[(z * 3 + y) * 3 + x] = behind;
}

// A small elimination over an augmented matrix, one column too far.
// launch: eliminate[1, 2](f4(2), f4(2, 12))
// told: out of bounds of 'm' by thread 0-1 of block 0
kernel void eliminate(global float *out, global const float *in) {
    float m[3][4];
    int g = get_global_id(0);
    for (int k = 0; k < 12; ++k) m[k / 4][k % 4] = in[g * 12 + k] + 1;
    for (int p = 0; p < 2; ++p)
        for (int r = p + 1; r < 3; ++r) {
            float by = m[r][p] / m[p][p];
            for (int c = 0; c <= 4; ++c)  // MENDED: for (int c = 0; c < 4; ++c)
                m[r][c] -= by * m[p][c];  // FAULT
        }
    out[g] = m[2][3];
}
