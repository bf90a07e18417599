// SPDX-License-Identifier: Apache-2.0
// CUDA's integer intrinsics.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void count_bits(int *out, const unsigned long long *in) {
    unsigned long long v = in[index()];
    int *o = out + 6 * index();
    o[0] = __popc((unsigned)v);
    o[1] = __popcll(v);
    o[2] = __clz((int)v);
    o[3] = __clzll((long long)v);
    o[4] = __ffs((int)v);
    o[5] = __ffsll((long long)v);
}

__global__ void reverse_bits(unsigned long long *out, const unsigned long long *in) {
    unsigned long long v = in[index()];
    out[2 * index()] = __brev((unsigned)v);
    out[2 * index() + 1] = __brevll(v);
}

__global__ void byte_permute(unsigned *out, const unsigned *a, const unsigned *b) {
    int i = index();
    out[4 * i] = __byte_perm(a[i], b[i], 0x0123);
    out[4 * i + 1] = __byte_perm(a[i], b[i], 0x7250);
    out[4 * i + 2] = __byte_perm(a[i], b[i], 0x5410);
    out[4 * i + 3] = __byte_perm(a[i], b[i], i * 0x1111 % 0x7778 & 0x7777);
}

__global__ void funnel_shifts(unsigned *out, const unsigned *low, const unsigned *high) {
    int i = index();
    out[4 * i] = __funnelshift_l(low[i], high[i], i);
    out[4 * i + 1] = __funnelshift_r(low[i], high[i], i);
    out[4 * i + 2] = __funnelshift_lc(low[i], high[i], i);
    out[4 * i + 3] = __funnelshift_rc(low[i], high[i], i);
}

__global__ void high_products(long long *out, const int *a, const int *b) {
    int i = index();
    long long wide = (long long)a[i] << 20 | b[i], other = (long long)b[i] << 25 ^ a[i];
    long long *o = out + 6 * i;
    o[0] = __mulhi(a[i], b[i]);
    o[1] = __umulhi((unsigned)a[i], (unsigned)b[i]);
    o[2] = __mul64hi(wide, other);
    o[3] = (long long)__umul64hi((unsigned long long)wide, (unsigned long long)other);
    o[4] = __mul24(a[i], b[i]);
    o[5] = __umul24((unsigned)a[i], (unsigned)b[i]);
}

__global__ void averages_and_differences(unsigned *out, const int *a, const int *b) {
    int i = index();
    out[6 * i] = __hadd(a[i], b[i]);
    out[6 * i + 1] = __rhadd(a[i], b[i]);
    out[6 * i + 2] = __uhadd((unsigned)a[i], (unsigned)b[i]);
    out[6 * i + 3] = __urhadd((unsigned)a[i], (unsigned)b[i]);
    out[6 * i + 4] = __sad(a[i], b[i], 7u);
    out[6 * i + 5] = __usad((unsigned)a[i], (unsigned)b[i], 7u);
}

__global__ void integer_min_max_abs(long long *out, const int *a, const int *b) {
    int i = index();
    long long *o = out + 6 * i;
    o[0] = min(a[i], b[i]);
    o[1] = max((unsigned)a[i], (unsigned)b[i]);
    o[2] = abs(a[i] / 2);
    o[3] = max((long long)a[i] * 8, (long long)b[i]);
    o[4] = llabs((long long)b[i] * 4);
    o[5] = (long long)min((unsigned long long)(unsigned)a[i], 1000000ull);
}
