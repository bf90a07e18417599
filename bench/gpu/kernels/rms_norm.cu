// SPDX-License-Identifier: Apache-2.0
// Normalisation by the root of the mean square, four elements at a time, the scale from a warp per row.
__global__ void rms_norm(float4 *out, const float4 *in, const float4 *gain, int quads, float epsilon) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    const float4 *x = in + row * quads;
    float sum = 0;
    for (int i = threadIdx.x; i < quads; i += 32) {
        float4 v = x[i];
        sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    float scale = rsqrtf(sum / (4 * quads) + epsilon);
    for (int i = threadIdx.x; i < quads; i += 32) {
        float4 v = x[i], g = gain[i];
        out[row * quads + i] = make_float4(v.x * scale * g.x, v.y * scale * g.y, v.z * scale * g.z, v.w * scale * g.w);
    }
}
