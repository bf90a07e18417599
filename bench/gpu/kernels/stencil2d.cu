// SPDX-License-Identifier: Apache-2.0
// SHOC's Stencil2D: nine points from a tile in shared memory with a halo, in double precision.
__global__ void stencil2d(double *out, const double *in, int pitch, double centre, double side, double corner) {
    __shared__ double tile[10][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    for (int r = threadIdx.y; r < 10; r += 8) {
        for (int c = threadIdx.x; c < 34; c += 32)
            tile[r][c] = in[(blockIdx.y * 8 + r) * pitch + blockIdx.x * 32 + c];
    }
    __syncthreads();
    int r = threadIdx.y + 1, c = threadIdx.x + 1;
    double sides = tile[r - 1][c] + tile[r + 1][c] + tile[r][c - 1] + tile[r][c + 1];
    double corners = tile[r - 1][c - 1] + tile[r - 1][c + 1] + tile[r + 1][c - 1] + tile[r + 1][c + 1];
    out[(y + 1) * pitch + x + 1] = centre * tile[r][c] + side * sides + corner * corners;
}
