// SPDX-License-Identifier: Apache-2.0
// A generation of Conway's game of life on cells that are 0 or 1, by arithmetic instead of conditions: with L the sum
// of the eight neighbours,
//   next(i,j) = 1 / (1 + (cell(i,j) + L - 3) (L - 3) 1e20)
// is 1 if L = 3 or cell + L = 3, and next to 0 otherwise. Literals are double, so the quotient is, too.
// Operator: KernelGen's gameoflife (PTXASW, Table 2). A thread a point; j is blockIdx.x. The ends of a
// row are read before its middle, so two of its three loads are the first one's of a neighbour.

__global__ void gameoflife(const float *__restrict__ cell, float *__restrict__ next, int nx, int ny) {
    int i = 1 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 1 + blockIdx.x;
    if (i >= nx - 1 || j >= ny - 1)
        return;
    int at = i + nx * j;
    const float *below = cell + (at - nx), *here = cell + at, *above = cell + (at + nx);
    const float huge = 1e20f;
    float around = below[-1] + below[1] + below[0] + here[-1] + here[1] + above[-1] + above[1] + above[0];
    float own = here[0];
    next[at] = 1.0 / (1.0 + (own + around - 3.0) * (around - 3.0) * huge);
}
