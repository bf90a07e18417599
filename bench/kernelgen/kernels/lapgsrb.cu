// SPDX-License-Identifier: Apache-2.0
// Laplacian of fourth order with 25 points, as in a red-black Gauss-Seidel step:
//   out = c0 in + c1 (6 neighbours at distance 1) + c2 (12 at distance sqrt 2) + c3 (6 at distance 2 along the axes)
// Operator: KernelGen's lapgsrb (PTXASW, Table 2). A thread a point; k is blockIdx.x, j blockIdx.z. A row's ends
// are read before what lies between: the first load is the source of the others.

__global__ void lapgsrb(const float *__restrict__ in, float *__restrict__ out, float c0, float c1, float c2, float c3,
                        int nx, int ny, int ns) {
    int i = 2 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 2 + blockIdx.z;
    int k = 2 + blockIdx.x;
    if (i >= nx - 2 || j >= ny - 2 || k >= ns - 2)
        return;
    int plane = nx * ny;
    int at = i + nx * j + plane * k;
    const float *here = in + at;
    float west2 = here[-2], west = here[-1], own = here[0], east = here[1], east2 = here[2];
    float far = west2 + east2 + in[at - 2 * nx] + in[at + 2 * nx] + in[at - 2 * plane] + in[at + 2 * plane];
    const float *south = in + (at - nx), *north = in + (at + nx), *under = in + (at - plane), *over = in + (at + plane);
    float diagonal = south[-1] + south[1] + north[-1] + north[1] + under[-1] + under[1] + over[-1] + over[1] +
                     in[at - nx - plane] + in[at + nx - plane] + in[at - nx + plane] + in[at + nx + plane];
    float nearest = west + east + south[0] + north[0] + under[0] + over[0];
    out[at] = c3 * far + c2 * diagonal + c1 * nearest + c0 * own;
}
