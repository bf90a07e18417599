// SPDX-License-Identifier: Apache-2.0
// An image resized by Catmull and Rom's cubic: sixteen taps at clamped places.
__device__ float cubic(float a, float b, float c, float d, float t) {
    return b + 0.5f * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

__global__ void bicubic(float *out, const float *in, int width, int height, int out_width, float sx, float sy) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x * sx, v = y * sy;
    int ix = (int)u, iy = (int)v;
    float rows[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const float *row = in + min(max(iy + j - 1, 0), height - 1) * width;
        rows[j] = cubic(row[max(ix - 1, 0)], row[ix], row[min(ix + 1, width - 1)], row[min(ix + 2, width - 1)], u - ix);
    }
    out[y * out_width + x] = cubic(rows[0], rows[1], rows[2], rows[3], v - iy);
}
