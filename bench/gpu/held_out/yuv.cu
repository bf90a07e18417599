// SPDX-License-Identifier: Apache-2.0
// Pairs of pixels in YUYV to planes of red, green and blue, by integers in fixed point.
__global__ void yuv(unsigned char *red, unsigned char *green, unsigned char *blue, const uchar4 *in, int pairs) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs)
        return;
    uchar4 p = in[i];
    int u = p.y - 128, v = p.w - 128;
    int r = 409 * v + 128, g = -100 * u - 208 * v + 128, b = 516 * u + 128;
    int y0 = 298 * (p.x - 16), y1 = 298 * (p.z - 16);
    red[2 * i] = min(max((y0 + r) >> 8, 0), 255);
    red[2 * i + 1] = min(max((y1 + r) >> 8, 0), 255);
    green[2 * i] = min(max((y0 + g) >> 8, 0), 255);
    green[2 * i + 1] = min(max((y1 + g) >> 8, 0), 255);
    blue[2 * i] = min(max((y0 + b) >> 8, 0), 255);
    blue[2 * i + 1] = min(max((y1 + b) >> 8, 0), 255);
}
