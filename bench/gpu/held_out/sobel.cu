// SPDX-License-Identifier: Apache-2.0
// Edges of an image with three colours, bytes interleaved, the strongest of them.
__global__ void sobel(unsigned char *out, const unsigned char *in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    int most = 0;
    for (int c = 0; c < 3; c++) {
        const unsigned char *p = in + (y * width + x) * 3 + c;
        int north = p[-3 * width - 3] + 2 * p[-3 * width] + p[-3 * width + 3];
        int south = p[3 * width - 3] + 2 * p[3 * width] + p[3 * width + 3];
        int west = p[-3 * width - 3] + 2 * p[-3] + p[3 * width - 3];
        int east = p[-3 * width + 3] + 2 * p[3] + p[3 * width + 3];
        most = max(most, abs(north - south) + abs(west - east));
    }
    out[y * width + x] = min(most, 255);
}
