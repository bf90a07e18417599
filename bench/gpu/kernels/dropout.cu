// SPDX-License-Identifier: Apache-2.0
// Dropout by Philox random numbers: ten rounds of 32 x 32 to 64 bits, four elements per thread.
__device__ uint4 philox(uint4 c, uint2 key) {
#pragma unroll
    for (int r = 0; r < 10; r++) {
        unsigned long long a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
        c = make_uint4((unsigned)(b >> 32) ^ c.y ^ key.x, (unsigned)b, (unsigned)(a >> 32) ^ c.w ^ key.y, (unsigned)a);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return c;
}

__global__ void dropout(float *out, const float *in, unsigned threshold, float scale, unsigned seed) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 r = philox(make_uint4(i, 0, 0, 0), make_uint2(seed, 7));
    out[4 * i] = r.x < threshold ? in[4 * i] * scale : 0;
    out[4 * i + 1] = r.y < threshold ? in[4 * i + 1] * scale : 0;
    out[4 * i + 2] = r.z < threshold ? in[4 * i + 2] * scale : 0;
    out[4 * i + 3] = r.w < threshold ? in[4 * i + 3] * scale : 0;
}
