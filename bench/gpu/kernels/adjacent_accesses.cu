// SPDX-License-Identifier: Apache-2.0
// 2012, Figure 2b: four neighbours loaded and stored one by one; the alignment follows from a structure's.
struct __align__(16) Quad { float x, y, z, w; };

__global__ void adjacent_accesses(Quad *__restrict__ out, const Quad *__restrict__ in, const float *__restrict__ m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i].x, y = in[i].y, z = in[i].z, w = in[i].w;
    out[i].x = m[0] * x + m[1] * y + m[2] * z + m[3] * w;
    out[i].y = m[4] * x + m[5] * y + m[6] * z + m[7] * w;
    out[i].z = m[8] * x + m[9] * y + m[10] * z + m[11] * w;
    out[i].w = m[12] * x + m[13] * y + m[14] * z + m[15] * w;
}
