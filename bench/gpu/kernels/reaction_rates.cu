// SPDX-License-Identifier: Apache-2.0
// SHOC's S3D: rates of reactions of a grid's points, quantities stored plane by plane.
__global__ void reaction_rates(float *rates, const float *temperature, const float *mass, int n, float scale) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float t = temperature[i] * scale, inverse = 1.0f / t, logarithm = logf(t);
    const float *c = mass + i;
    float *r = rates + i;
#pragma unroll
    for (int k = 0; k < 6; k++) {
        float forward = expf(0.5f * k + 1.2f * logarithm - (900.0f + 100.0f * k) * inverse);
        float back = forward * expf(-0.25f * k - 400.0f * inverse);
        r[k * n] = forward * c[k * n] * c[((k + 1) % 6) * n] - back * c[((k + 2) % 6) * n] * c[((k + 3) % 6) * n];
    }
}
