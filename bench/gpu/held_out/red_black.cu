// SPDX-License-Identifier: Apache-2.0
// A red-black step of Gauss and Seidel for Poisson's equation, in place.
__global__ void red_black(float *u, const float *f, int width, int height, int colour, float h2, float relax) {
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + ((y + colour) & 1);
    if (x < width - 1 && y < height - 1) {
        int at = y * width + x;
        float next = 0.25f * (u[at - 1] + u[at + 1] + u[at - width] + u[at + width] - h2 * f[at]);
        u[at] += relax * (next - u[at]);
    }
}
