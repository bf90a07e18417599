// SPDX-License-Identifier: Apache-2.0
// A bilateral filter: weights by distance from a table, and by difference of brightness.
__global__ void bilateral(float *out, const float *in, const float *near, int width, int height, int radius, float f) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float own = in[y * width + x], sum = 0, weights = 0;
    for (int dy = -radius; dy <= radius; dy++) {
        for (int dx = -radius; dx <= radius; dx++) {
            int r = min(max(y + dy, 0), height - 1), c = min(max(x + dx, 0), width - 1);
            float value = in[r * width + c], d = value - own;
            float w = near[dy + radius] * near[dx + radius] * expf(-d * d * f);
            sum += w * value;
            weights += w;
        }
    }
    out[y * width + x] = sum / weights;
}
