// SPDX-License-Identifier: Apache-2.0
// Intrinsics on the halfwords and bytes of words, DPX, dot products.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

#define PARTS(n)                                                                                                 \
    *o++ = __vadd##n(x, y);                                                                                      \
    *o++ = __vaddss##n(x, y);                                                                                    \
    *o++ = __vaddus##n(x, y);                                                                                    \
    *o++ = __vsub##n(x, y);                                                                                      \
    *o++ = __vsubss##n(x, y);                                                                                    \
    *o++ = __vsubus##n(x, y);                                                                                    \
    *o++ = __vneg##n(x);                                                                                         \
    *o++ = __vnegss##n(x);                                                                                       \
    *o++ = __vabs##n(x);                                                                                         \
    *o++ = __vabsss##n(x);                                                                                       \
    *o++ = __vabsdiffs##n(x, y);                                                                                 \
    *o++ = __vabsdiffu##n(x, y);                                                                                 \
    *o++ = __vavgs##n(x, y);                                                                                     \
    *o++ = __vavgu##n(x, y);                                                                                     \
    *o++ = __vhaddu##n(x, y);                                                                                    \
    *o++ = __vmaxs##n(x, y);                                                                                     \
    *o++ = __vmaxu##n(x, y);                                                                                     \
    *o++ = __vmins##n(x, y);                                                                                     \
    *o++ = __vminu##n(x, y);                                                                                     \
    *o++ = __vsads##n(x, y);                                                                                     \
    *o++ = __vsadu##n(x, y);

#define COMPARISONS(n)                                                                                           \
    COMPARISON(n, eq) COMPARISON(n, ne) COMPARISON(n, ges) COMPARISON(n, geu) COMPARISON(n, gts)                 \
    COMPARISON(n, gtu) COMPARISON(n, les) COMPARISON(n, leu) COMPARISON(n, lts) COMPARISON(n, ltu)
#define COMPARISON(n, relation)                                                                                  \
    *o++ = __vcmp##relation##n(x, y);                                                                            \
    *o++ = __vset##relation##n(x, y);

__global__ void halfwords(unsigned *out, const unsigned *a, const unsigned *b) {
    unsigned x = a[index()], y = b[index()], *o = out + 41 * index();
    PARTS(2) COMPARISONS(2)
}

__global__ void bytes(unsigned *out, const unsigned *a, const unsigned *b) {
    unsigned x = a[index()], y = b[index()], *o = out + 41 * index();
    PARTS(4) COMPARISONS(4)
}

#define EXTREMES(ext)                                                                                            \
    *o++ = __vi##ext##3_s32(x, y, z);                                                                            \
    *o++ = __vi##ext##3_u32(x, y, z);                                                                            \
    *o++ = __vi##ext##3_s16x2(x, y, z);                                                                          \
    *o++ = __vi##ext##3_u16x2(x, y, z);                                                                          \
    *o++ = __vi##ext##3_s32_relu(x, y, z);                                                                       \
    *o++ = __vi##ext##3_s16x2_relu(x, y, z);                                                                     \
    *o++ = __vi##ext##_s32_relu(x, y);                                                                           \
    *o++ = __vi##ext##_s16x2_relu(x, y);                                                                         \
    *o++ = __viadd##ext##_s32(x, y, z);                                                                          \
    *o++ = __viadd##ext##_u32(x, y, z);                                                                          \
    *o++ = __viadd##ext##_s16x2(x, y, z);                                                                        \
    *o++ = __viadd##ext##_u16x2(x, y, z);                                                                        \
    *o++ = __viadd##ext##_s32_relu(x, y, z);                                                                     \
    *o++ = __viadd##ext##_s16x2_relu(x, y, z);                                                                   \
    *o++ = __vib##ext##_s32(x, y, &first);                                                                       \
    *o++ = first;                                                                                                \
    *o++ = __vib##ext##_u32(x, y, &first);                                                                       \
    *o++ = first;                                                                                                \
    *o++ = __vib##ext##_s16x2(x, y, &first, &second);                                                            \
    *o++ = first + 2 * second;                                                                                   \
    *o++ = __vib##ext##_u16x2(x, y, &first, &second);                                                            \
    *o++ = first + 2 * second;

__global__ void dynamic_programming(unsigned *out, const unsigned *a, const unsigned *b, const unsigned *c) {
    unsigned x = a[index()], y = b[index()], z = c[index()], *o = out + 44 * index();
    bool first, second;
    EXTREMES(max) EXTREMES(min)
}

__global__ void dot_products(unsigned *out, const unsigned *a, const unsigned *b, const unsigned *c) {
    unsigned x = a[index()], y = b[index()], z = c[index()], *o = out + 12 * index();
    int i = x, j = y, k = z;
    o[0] = __dp4a(i, j, k);
    o[1] = __dp4a(x, y, z);
    o[2] = __dp2a_lo(i, j, k);
    o[3] = __dp2a_lo(x, y, z);
    o[4] = __dp2a_hi(i, j, k);
    o[5] = __dp2a_hi(x, y, z);
    char4 p = reinterpret_cast<char4 &>(i), q = reinterpret_cast<char4 &>(j);
    uchar4 r = reinterpret_cast<uchar4 &>(x), s = reinterpret_cast<uchar4 &>(y);
    o[6] = __dp4a(p, q, k);
    o[7] = __dp4a(r, s, z);
    o[8] = __dp2a_lo(reinterpret_cast<short2 &>(i), q, k);
    o[9] = __dp2a_hi(reinterpret_cast<ushort2 &>(x), s, z);
    o[10] = __byte_perm(x, y, z);
    o[11] = __byte_perm(x, y, 0xfb73);
}
