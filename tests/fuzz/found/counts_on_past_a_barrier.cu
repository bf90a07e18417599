// grid 2, block 32, data 4
#define ITEMS 32u
struct Options { int a; float f; short s; long long l; };
extern "C" __global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in,
                                  const float *fin, int n, int m, Options options) {
    const unsigned item = threadIdx.x, group = blockIdx.x;
    unsigned long long *own = out + 4 * (group * ITEMS + item);
    unsigned a = in[(group * ITEMS + item) & 63];
    volatile int flags[2] = {0, 0};
    for (int r = 0; r <= m; ++r) {
        if (a & 1) flags[n & 1] = 1;
        else own[1] += __syncthreads_count(1);
    }
    if (flags[n & 1]) { own[2] = 7; return; }
    own[0] = __syncthreads_count(1);
}
