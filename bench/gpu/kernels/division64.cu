// SPDX-License-Identifier: Apache-2.0
// gpucc, 3.6: indices by 64-bit division and remainder, whose operands fit 32 bits when it runs.
__global__ void division64(float *out, const float *in, long rows, long columns, long depth) {
    long at = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= rows * columns * depth)
        return;
    long d = at % depth, rest = at / depth;
    long c = rest % columns, r = rest / columns;
    out[(d * columns + c) * rows + r] = in[at];
}
