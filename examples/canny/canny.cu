// SPDX-License-Identifier: Apache-2.0
//
// Canny's edge detector (J. Canny, A Computational Approach to Edge Detection, IEEE PAMI 8(6), 1986), a kernel a step:
//
//     blur        smooths the image, so that noise makes no edges
//     gradient    how steep each pixel is, and in which of four directions
//     suppress    keeps a pixel only where it is the steepest across its edge, and says weak or strong
//     hysteresis  weak pixels that touch a strong one become strong; the host repeats this until nothing changes
//     draw        strong pixels white, all others black
//
// Images are width x height pixels, row by row. A work-group of TILE x TILE work-items makes one tile of the result;
// the grid covers the image, so the last tiles may stand out over its right and lower border.
// Border: the blur and the gradient repeat the outermost pixels; beyond the border there are no edges.
//
// For pixels of 0..255 the blur and the Sobel sums are exact in float (at most 23 significant bits), so that they
// come out the same in whatever order they are added. Only the gradient's length is rounded.

constexpr int TILE = 16;

// The binomial filter of order 6: a Gaussian of variance 6/4, sigma 1.22.
constexpr int RADIUS = 3;
__constant__ float weights[2 * RADIUS + 1] = {1 / 64.0f,  6 / 64.0f, 15 / 64.0f, 20 / 64.0f,
                                              15 / 64.0f, 6 / 64.0f, 1 / 64.0f};

// The direction in which the brightness changes most, across the edge; y points down.
enum Direction : unsigned char { HORIZONTAL, FALLING, VERTICAL, RISING };

enum State : unsigned char { NONE, WEAK, STRONG };

__device__ int clamp(int value, int size) { return min(max(value, 0), size - 1); }

// Copies the work-group's tile of an image, and HALO pixels around it, to shared memory.
template <int HALO, typename T, typename Read>
__device__ void load_tile(T (&tile)[TILE + 2 * HALO][TILE + 2 * HALO], Read read) {
    int left = blockIdx.x * TILE - HALO, top = blockIdx.y * TILE - HALO;
    for (int y = threadIdx.y; y < TILE + 2 * HALO; y += TILE)
        for (int x = threadIdx.x; x < TILE + 2 * HALO; x += TILE)
            tile[y][x] = read(left + x, top + y);
    __syncthreads();
}

// A Gaussian blur, first along the rows and then along the columns.
extern "C" __global__ void blur(float *blurred, const float *img, int width, int height) {
    __shared__ float tile[TILE + 2 * RADIUS][TILE + 2 * RADIUS];
    __shared__ float rows[TILE + 2 * RADIUS][TILE];

    load_tile<RADIUS>(tile, [=](int x, int y) { return img[clamp(y, height) * width + clamp(x, width)]; });

    for (int y = threadIdx.y; y < TILE + 2 * RADIUS; y += TILE) {
        float sum = 0;
        for (int i = 0; i <= 2 * RADIUS; i++)
            sum += weights[i] * tile[y][threadIdx.x + i];
        rows[y][threadIdx.x] = sum;
    }
    __syncthreads();

    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) {
        float sum = 0;
        for (int i = 0; i <= 2 * RADIUS; i++)
            sum += weights[i] * rows[threadIdx.y + i][threadIdx.x];
        blurred[y * width + x] = sum;
    }
}

// Sobel's operator. The sectors end at 22.5 and 67.5 degrees; comparing with the tangent spares an atan2.
extern "C" __global__ void gradient(float *length, Direction *direction, const float *img, int width, int height) {
    __shared__ float tile[TILE + 2][TILE + 2];
    load_tile<1>(tile, [=](int x, int y) { return img[clamp(y, height) * width + clamp(x, width)]; });

    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height)
        return;

    auto at = [&](int dx, int dy) { return tile[threadIdx.y + 1 + dy][threadIdx.x + 1 + dx]; };
    float gx = (at(1, -1) - at(-1, -1)) + 2 * (at(1, 0) - at(-1, 0)) + (at(1, 1) - at(-1, 1));
    float gy = (at(-1, 1) - at(-1, -1)) + 2 * (at(0, 1) - at(0, -1)) + (at(1, 1) - at(1, -1));

    const float tan_22_5 = 0.41421356f;
    Direction towards;
    if (fabsf(gy) <= tan_22_5 * fabsf(gx))
        towards = HORIZONTAL;
    else if (fabsf(gx) <= tan_22_5 * fabsf(gy))
        towards = VERTICAL;
    else
        towards = (gx > 0) == (gy > 0) ? FALLING : RISING;

    length[y * width + x] = sqrtf(gx * gx + gy * gy);
    direction[y * width + x] = towards;
}

// Thins edges to one pixel: of two equal neighbours across an edge the right or lower one stays.
extern "C" __global__ void suppress(State *state, const float *length, const Direction *direction, float low,
                                    float high, int width, int height) {
    __shared__ float tile[TILE + 2][TILE + 2];
    load_tile<1>(tile, [=](int x, int y) {
        return 0 <= x && x < width && 0 <= y && y < height ? length[y * width + x] : 0.0f;
    });

    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height)
        return;

    int dx = 0, dy = 0;
    switch (direction[y * width + x]) {
    case HORIZONTAL: dx = 1; break;
    case FALLING: dx = 1, dy = 1; break;
    case VERTICAL: dy = 1; break;
    case RISING: dx = -1, dy = 1; break;
    }

    auto at = [&](int dx, int dy) { return tile[threadIdx.y + 1 + dy][threadIdx.x + 1 + dx]; };
    float steep = at(0, 0);
    bool crest = steep >= at(-dx, -dy) && steep > at(dx, dy);
    state[y * width + x] = !crest || steep < low ? NONE : steep < high ? WEAK : STRONG;
}

// Spreads strong pixels over the weak ones that they touch, within each tile as far as it goes; *changed becomes 1
// if any pixel changed. It reads one image and writes another, so that work-groups don't disturb each other.
extern "C" __global__ void hysteresis(State *after, int *changed, const State *before, int width, int height) {
    __shared__ State tile[TILE + 2][TILE + 2];
    load_tile<1>(tile, [=](int x, int y) {
        return 0 <= x && x < width && 0 <= y && y < height ? before[y * width + x] : NONE;
    });

    State &own = tile[threadIdx.y + 1][threadIdx.x + 1];
    bool spread = false, again;
    do {
        bool promote = false;
        if (own == WEAK)
            for (int dy = 0; dy <= 2; dy++)
                for (int dx = 0; dx <= 2; dx++)
                    promote |= tile[threadIdx.y + dy][threadIdx.x + dx] == STRONG;
        again = __syncthreads_or(promote);
        if (promote)
            own = STRONG;
        spread |= promote;
        __syncthreads();
    } while (again);

    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        after[y * width + x] = own;
    if (spread)
        atomicExch(changed, 1);
}

extern "C" __global__ void draw(unsigned char *edges, const State *state, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        edges[y * width + x] = state[y * width + x] == STRONG ? 255 : 0;
}
