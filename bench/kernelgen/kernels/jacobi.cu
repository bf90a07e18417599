// SPDX-License-Identifier: Apache-2.0
// A step of Jacobi's method with nine points:
//   out(i,j) = c0 in(i,j) + c1 (the four nearest neighbours) + c2 (the four diagonal ones)
// Operator: KernelGen's jacobi (PTXASW, Table 2 and Listing 4). A thread a point; j is blockIdx.x. A row's first load
// is at its western end, so the two others are that of a neighbour.

__global__ void jacobi(const float *__restrict__ in, float *__restrict__ out, float c0, float c1, float c2, int nx,
                       int ny) {
    int i = 1 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 1 + blockIdx.x;
    if (i >= nx - 1 || j >= ny - 1)
        return;
    int at = i + nx * j;
    const float *below = in + (at - nx), *here = in + at, *above = in + (at + nx);
    float southwest = below[-1], south = below[0], southeast = below[1];
    float west = here[-1], own = here[0], east = here[1];
    float northwest = above[-1], north = above[0], northeast = above[1];
    out[at] = c2 * (southwest + northwest + southeast + northeast) + c1 * (west + east + south + north) + c0 * own;
}
