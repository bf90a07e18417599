// SPDX-License-Identifier: Apache-2.0
// Rotary positions: pairs of a head's elements turned by an angle of position and pair.
__global__ void rope(float *x, const int *positions, int heads, int size, float base) {
    int pair = threadIdx.x, head = blockIdx.y, token = blockIdx.x;
    float angle = positions[token] * powf(base, -2.0f * pair / size);
    float s = sinf(angle), c = cosf(angle);
    long at = ((long)token * heads + head) * size + pair;
    float a = x[at], b = x[at + size / 2];
    x[at] = a * c - b * s;
    x[at + size / 2] = a * s + b * c;
}
