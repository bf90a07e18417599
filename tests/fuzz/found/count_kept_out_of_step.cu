// grid 1, block 32, data 0
#define ITEMS 32u
struct Options { int a; float f; short s; long long l; };
extern "C" __global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in,
                                  const float *fin, int n, int m, Options options) {
    const unsigned item = threadIdx.x;
    unsigned long long *own = out + 4 * item;
    int count = 1;
    unsigned a = in[item];
    bool gone = (a & 7) == 1;
    for (int r = 0; r < 2; ++r) {
        if (!gone) count = __syncthreads_and(a < 5);
        gone |= (a & 3) == 1;
    }
    if (gone) goto done;
    count = __syncthreads_count(a & 3);
    __syncthreads();
done:
    own[0] += count;
}
