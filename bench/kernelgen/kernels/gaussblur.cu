// SPDX-License-Identifier: Apache-2.0
// Gaussian blur over 5 x 5 points, whose weight depends on the squared distance d from the centre:
//   out(i,j) = norm * sum over d of s_d (sum of in at the points of squared distance d), d = 0, 1, 2, 4, 5, 8
// Operator: KernelGen's gaussblur (PTXASW, Table 2). A thread a point; j is blockIdx.x. A row's first load is at its
// western end, so the four others are that of a neighbour 1 to 4 threads away; for nvcc, which loads where a value is
// used, the ends of rows are summed first.

__global__ void gaussblur(const float *__restrict__ in, float *__restrict__ out, float norm, float s0, float s1,
                          float s2, float s4, float s5, float s8, int nx, int ny) {
    int i = 2 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 2 + blockIdx.x;
    if (i >= nx - 2 || j >= ny - 2)
        return;
    int at = i + nx * j;
    float w[5][5];
#pragma unroll
    for (int row = 0; row < 5; row++) {
        const float *centre = in + (at + (row - 2) * nx);
#pragma unroll
        for (int column = 0; column < 5; column++)
            w[row][column] = centre[column - 2];
    }
    float d8 = w[0][0] + w[0][4] + w[4][0] + w[4][4];
    float d5 = w[1][0] + w[1][4] + w[3][0] + w[3][4] + w[0][1] + w[0][3] + w[4][1] + w[4][3];
    float d4 = w[2][0] + w[2][4] + w[0][2] + w[4][2];
    float d2 = w[1][1] + w[1][3] + w[3][1] + w[3][3];
    float d1 = w[2][1] + w[2][3] + w[1][2] + w[3][2];
    out[at] = norm * (s8 * d8 + s5 * d5 + s4 * d4 + s2 * d2 + s1 * d1 + s0 * w[2][2]);
}
