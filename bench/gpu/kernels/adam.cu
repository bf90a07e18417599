// SPDX-License-Identifier: Apache-2.0
// A step of Adam: five arrays, a square root and a division per element.
__global__ void adam(float *w, float *m, float *v, const float *gradient, float rate, float b1, float b2,
                     float epsilon, float c1, float c2, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float g = gradient[i];
        m[i] = b1 * m[i] + (1 - b1) * g;
        v[i] = b2 * v[i] + (1 - b2) * g * g;
        w[i] -= rate * (m[i] / c1) / (sqrtf(v[i] / c2) + epsilon);
    }
}
