// Double and single precision mathematics, integers of all widths, conversions.
__global__ void functions(double *d, float *f, long long *l, short *s, __int128 *w) {
    int i = threadIdx.x; double x = d[i]; float y = f[i];
    d[i] = sin(x) + pow(x, 2.5) + exp(x) / sqrt(x) + fma(x, x, 1.0) + tgamma(x) + __drcp_ru(x);
    f[i] = sinf(y) + __expf(y) + rsqrtf(y) + fmaf(y, y, 1.f) + __fdividef(y, 3.f) + __saturatef(y) + atan2f(y, 2.f) + rintf(y);
    l[i] = l[i] / 7 % (l[1] | 1) + __mul64hi(l[i], 3) + llrint(x) + __ffsll(l[i]) + __brevll(l[2]);
    s[i] = s[i] * 3 + (signed char)s[i + 1] + __vadd2(s[i], 1) + __byte_perm(s[i], 2, 0x3210) + __dp4a(1, i, 2) + __funnelshift_l(i, 2, 3);
    w[i] = w[i] * w[i + 1] / 3 + w[2];
}
