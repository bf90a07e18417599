// SPDX-License-Identifier: Apache-2.0
// The work-items' indices and extents, in up to three dimensions, and loops over more data than work-items.

struct Indices {
    unsigned thread[3], block[3], block_size[3], grid_size[3];
};

__global__ void all_indices(Indices *out) {
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = {
        {threadIdx.x, threadIdx.y, threadIdx.z},
        {blockIdx.x, blockIdx.y, blockIdx.z},
        {blockDim.x, blockDim.y, blockDim.z},
        {gridDim.x, gridDim.y, gridDim.z},
    };
}

// A volume of a size that the grid doesn't divide.
__global__ void volume(int *out, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < nx && y < ny && z < nz)
        out[(z * ny + y) * nx + x] = x + 100 * y + 10000 * z;
}

__global__ void grid_stride(float *y, const float *x, float a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

__global__ void grid_stride_2d(int *out, int width, int height) {
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x)
            out[y * width + x] = y * 1000 + x;
}

// Macros given on the command line.
#ifndef FACTOR
#define FACTOR 1
#endif
__global__ void defined_from_outside(int *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = (blockIdx.x * blockDim.x + threadIdx.x) * FACTOR;
}
