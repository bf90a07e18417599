// SPDX-License-Identifier: Apache-2.0
// Integers of every width and sign: wrapping, division, shifts, conversion; arguments of every width.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Eleven operators; the divisor is never zero. For T narrower than int the operands are promoted and cut again.
template <typename T> __global__ void operators(T *out, const T *a, const T *b) {
    int i = index();
    T x = a[i], y = b[i] ? b[i] : (T)3;
    T *o = out + 11 * i;
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = x / y;
    o[4] = x % y;
    o[5] = x & y;
    o[6] = x | ~y;
    o[7] = x ^ y;
    o[8] = x << (y & 7);
    o[9] = x >> (y & 7);
    o[10] = -x;
}

// `unsigned` decides how 32 bits are divided, shifted, compared and widened.
__global__ void sign_matters(long long *out, const int *a, const int *b) {
    int i = index(), x = a[i], y = b[i] ? b[i] : 1;
    unsigned ux = x, uy = y;
    long long *o = out + 7 * i;
    o[0] = x / y;
    o[1] = ux / uy;
    o[2] = x >> 3;
    o[3] = ux >> 3;
    o[4] = (x < y) + 2 * (ux < uy);
    o[5] = (long long)x * y;
    o[6] = (unsigned long long)ux * uy % 1000000007ull;
}

// A signed and an unsigned operand: the signed one is converted. Narrow ones are promoted to int.
__global__ void mixed_signs(int *out, const int *in) {
    int v = in[index()];
    unsigned char byte = v;
    signed char tiny = v;
    out[index()] = (v < 1000u) + 2 * (byte < tiny) + 4 * (-1 < (int)sizeof(v)) + 8 * (byte - 200 < 0) +
                   16 * ((byte + tiny) > 127) + 32 * ((v & 1) - 1u > 5u);
}

__global__ void conversions(long long *out, const long long *in) {
    long long v = in[index()], *o = out + 8 * index();
    o[0] = (signed char)v;
    o[1] = (unsigned char)v;
    o[2] = (short)v;
    o[3] = (unsigned short)v;
    o[4] = (int)v;
    o[5] = (unsigned)v;
    o[6] = (bool)v;
    o[7] = (char)v;
}

__global__ void arguments_of_every_width(double *out, bool flag, char c, signed char sc, unsigned char uc, short s,
                                         unsigned short us, int i, unsigned u, long l, unsigned long ul,
                                         long long ll, unsigned long long ull, float f, double d) {
    double *o = out + 14 * index();
    o[0] = flag;
    o[1] = c;
    o[2] = sc;
    o[3] = uc;
    o[4] = s;
    o[5] = us;
    o[6] = i;
    o[7] = u;
    o[8] = l;
    o[9] = ul;
    o[10] = ll;
    o[11] = ull;
    o[12] = f;
    o[13] = d;
}

__global__ void arrays_of_narrow_types(bool *flags, char *chars, short *shorts, unsigned short *halves,
                                       const unsigned char *bytes) {
    int i = index();
    flags[i] = bytes[i] % 3 == 0;
    chars[i] = bytes[i];
    shorts[i] = -bytes[i] * 100;
    halves[i] = bytes[i] * 1000;
}

__global__ void bool_is_zero_or_one(int *out, const bool *in) {
    bool b = in[index()], c = index() * 4;
    b |= c;
    out[index()] = b + c + !b + (b ? 10 : 20) + (in[index()] ^ true) * 100;
}

// Numbers beyond 32 bits, in arithmetic and in addresses.
__global__ void beyond_32_bits(unsigned long long *out, const unsigned *in) {
    long long far = 3LL << 32;
    const unsigned *beyond = in + far;
    size_t i = index();
    unsigned long long product = (i + 5) * 0x123456789ull;
    out[i] = beyond[(long long)i - far] + product + (product >> 35) + (1ull << (i % 64));
}

__global__ void increments(int *out, const int *in) {
    int a = in[index()] % 100, b = a++, c = ++a, d = a--, e = --a;
    a += 5;
    a <<= 2;
    a ^= b;
    c -= d;
    e %= 7;
    out[index()] = a + 3 * b + 5 * c + 7 * d + 11 * e;
}
