// SPDX-License-Identifier: Apache-2.0
// Tridiagonal systems, one per thread, forward and back, coefficients interleaved.
__global__ void thomas(double *x, double *c, const double *lower, const double *diagonal, const double *upper,
                       const double *right, int systems, int size) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    c[s] = upper[s] / diagonal[s];
    x[s] = right[s] / diagonal[s];
    for (int k = 1; k < size; k++) {
        int at = k * systems + s;
        double m = 1 / (diagonal[at] - lower[at] * c[at - systems]);
        c[at] = upper[at] * m;
        x[at] = (right[at] - lower[at] * x[at - systems]) * m;
    }
    for (int k = size - 2; k >= 0; k--)
        x[k * systems + s] -= c[k * systems + s] * x[(k + 1) * systems + s];
}
