// SPDX-License-Identifier: Apache-2.0
// Parboil's mri-q: sums over the points of k-space, which a structure in constant memory has.
struct Point { float kx, ky, kz, magnitude; };
__constant__ Point points[256];

__global__ void mri_q(float *real, float *imaginary, const float *x, const float *y, const float *z, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sx = x[i], sy = y[i], sz = z[i], r = real[i], m = imaginary[i];
    for (int k = 0; k < count; k++) {
        float angle = 6.2831853f * ((points[k].kx + k) * sx + points[k].ky * sy + (points[k].kz - k) * sz);
        float magnitude = points[k].magnitude + 0.5f;
        r += magnitude * cosf(angle);
        m += magnitude * sinf(angle);
    }
    real[i] = r;
    imaginary[i] = m;
}
