// SPDX-License-Identifier: Apache-2.0
// 2012, 4.2: loops that store the elements of a private array, followed by loops that use them.
__global__ void private_array(float *out, const float *in, int stride) {
    float v[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 32; k++)
        v[k] = in[k * stride + i];
    for (int distance = 16; distance > 0; distance /= 2) {
        for (int k = 0; k < distance; k++)
            v[k] = fmaxf(v[k], v[k + distance]) * 0.5f;
    }
    out[i] = v[0];
}
