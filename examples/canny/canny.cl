// SPDX-License-Identifier: Apache-2.0
//
// Canny's edge detector in OpenCL C 1.2: the kernels of canny.cu, step by step the same, so that both give the same
// pixels. There it is told what they do, and what the borders mean.

#define TILE 16

// The binomial filter of order 6: a Gaussian of variance 6/4, sigma 1.22.
#define RADIUS 3
__constant float weights[2 * RADIUS + 1] = {1 / 64.0f,  6 / 64.0f, 15 / 64.0f, 20 / 64.0f,
                                            15 / 64.0f, 6 / 64.0f, 1 / 64.0f};

// The direction in which the brightness changes most, across the edge; y points down.
enum { HORIZONTAL, FALLING, VERTICAL, RISING };

enum { NONE, WEAK, STRONG };

// Copies the work-group's tile of an image, and `halo` pixels around it, to local memory; what lies beyond the border
// repeats the outermost pixels.
void load_repeating(__local float *tile, __global const float *image, int halo, int width, int height) {
    int side = TILE + 2 * halo;
    int left = (int)get_group_id(0) * TILE - halo, top = (int)get_group_id(1) * TILE - halo;
    for (int y = get_local_id(1); y < side; y += TILE)
        for (int x = get_local_id(0); x < side; x += TILE)
            tile[y * side + x] = image[clamp(top + y, 0, height - 1) * width + clamp(left + x, 0, width - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
}

bool is_inside(int x, int y, int width, int height) { return 0 <= x && x < width && 0 <= y && y < height; }

// A Gaussian blur, first along the rows and then along the columns.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void blur(__global float *blurred, __global const float *img, int width, int height) {
    __local float tile[TILE + 2 * RADIUS][TILE + 2 * RADIUS];
    __local float rows[TILE + 2 * RADIUS][TILE];
    int column = get_local_id(0), row = get_local_id(1);

    load_repeating(&tile[0][0], img, RADIUS, width, height);

    for (int y = row; y < TILE + 2 * RADIUS; y += TILE) {
        float sum = 0;
        for (int i = 0; i <= 2 * RADIUS; i++)
            sum += weights[i] * tile[y][column + i];
        rows[y][column] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
        float sum = 0;
        for (int i = 0; i <= 2 * RADIUS; i++)
            sum += weights[i] * rows[row + i][column];
        blurred[y * width + x] = sum;
    }
}

// Sobel's operator. The sectors end at 22.5 and 67.5 degrees; comparing with the tangent spares an atan2.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void gradient(__global float *length, __global uchar *direction, __global const float *img, int width, int height) {
    __local float tile[TILE + 2][TILE + 2];
    load_repeating(&tile[0][0], img, 1, width, height);

    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;

    int i = get_local_id(0) + 1, j = get_local_id(1) + 1;
    float gx = (tile[j - 1][i + 1] - tile[j - 1][i - 1]) + 2 * (tile[j][i + 1] - tile[j][i - 1]) +
               (tile[j + 1][i + 1] - tile[j + 1][i - 1]);
    float gy = (tile[j + 1][i - 1] - tile[j - 1][i - 1]) + 2 * (tile[j + 1][i] - tile[j - 1][i]) +
               (tile[j + 1][i + 1] - tile[j - 1][i + 1]);

    const float tan_22_5 = 0.41421356f;
    uchar towards;
    if (fabs(gy) <= tan_22_5 * fabs(gx))
        towards = HORIZONTAL;
    else if (fabs(gx) <= tan_22_5 * fabs(gy))
        towards = VERTICAL;
    else
        towards = (gx > 0) == (gy > 0) ? FALLING : RISING;

    length[y * width + x] = sqrt(gx * gx + gy * gy);
    direction[y * width + x] = towards;
}

// Thins edges to one pixel: of two equal neighbours across an edge the right or lower one stays.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void suppress(__global uchar *state, __global const float *length, __global const uchar *direction, float low,
              float high, int width, int height) {
    __local float tile[TILE + 2][TILE + 2];
    int left = (int)get_group_id(0) * TILE - 1, top = (int)get_group_id(1) * TILE - 1;
    for (int y = get_local_id(1); y < TILE + 2; y += TILE)
        for (int x = get_local_id(0); x < TILE + 2; x += TILE)
            tile[y][x] =
                is_inside(left + x, top + y, width, height) ? length[(top + y) * width + left + x] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);

    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;

    int dx = 0, dy = 0;
    switch (direction[y * width + x]) {
    case HORIZONTAL: dx = 1; break;
    case FALLING: dx = 1, dy = 1; break;
    case VERTICAL: dy = 1; break;
    case RISING: dx = -1, dy = 1; break;
    }

    int i = get_local_id(0) + 1, j = get_local_id(1) + 1;
    float steep = tile[j][i];
    bool crest = steep >= tile[j - dy][i - dx] && steep > tile[j + dy][i + dx];
    state[y * width + x] = !crest || steep < low ? NONE : steep < high ? WEAK : STRONG;
}

// Spreads strong pixels over the weak ones that they touch, within each tile as far as it goes; *changed becomes 1
// if any pixel changed. It reads one image and writes another, so that work-groups don't disturb each other.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void hysteresis(__global uchar *after, __global int *changed, __global const uchar *before, int width, int height) {
    __local uchar tile[TILE + 2][TILE + 2];
    __local int any;
    int left = (int)get_group_id(0) * TILE - 1, top = (int)get_group_id(1) * TILE - 1;
    for (int y = get_local_id(1); y < TILE + 2; y += TILE)
        for (int x = get_local_id(0); x < TILE + 2; x += TILE)
            tile[y][x] = is_inside(left + x, top + y, width, height) ? before[(top + y) * width + left + x] : NONE;
    barrier(CLK_LOCAL_MEM_FENCE);

    int i = get_local_id(0) + 1, j = get_local_id(1) + 1;
    bool is_first = i == 1 && j == 1, spread = false, again;
    do {
        bool promote = false;
        if (tile[j][i] == WEAK)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    promote |= tile[j + dy][i + dx] == STRONG;
        if (is_first)
            any = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (promote) {
            tile[j][i] = STRONG;
            atomic_xchg(&any, 1);
        }
        spread |= promote;
        barrier(CLK_LOCAL_MEM_FENCE);
        again = any;
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (again);

    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        after[y * width + x] = tile[j][i];
    if (spread)
        atomic_xchg(changed, 1);
}

__kernel void draw(__global uchar *edges, __global const uchar *state, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        edges[y * width + x] = state[y * width + x] == STRONG ? 255 : 0;
}
