// grid 1, block 4 8, data 0
// Lanes that have left a loop keep what they had while others go on to shuffle.
struct Options { int a; float f; short s; long long l; };
__device__ unsigned nth_lane(unsigned mask, unsigned n) {
    return __ffs(mask) - 1;
}
constexpr unsigned ITEMS = 32, SIZE = 32;
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,
                       int n, int m, Options options, unsigned *words, unsigned long long *lines,
                       float *wave) {
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned place = group * ITEMS + item;
    unsigned long long *own = out + 4 * place;
    unsigned a = in[place & 63];
    unsigned b = (unsigned)item;
    const unsigned lane = item % 32;
    __syncthreads();
        __syncthreads();
                if (lane > 27)
                    {
                        bool stays1 = (b & 1);
                        unsigned all3 = __ballot_sync(0xf0000000u, stays1);
                        for (int r2 = 0; stays1; ++r2, stays1 = r2 < 3 && (a != max(b, a)), all3 = __ballot_sync(all3, stays1))
                            {
                                const unsigned here4 = __ballot_sync(all3, true);
                                const unsigned v5 = __shfl_sync(all3, (unsigned)(in[(blockIdx.x * blockDim.x + threadIdx.x) % 8] ^ a), nth_lane(here4, a));
                                a = v5;
                            }
                    }
        __syncthreads();
    own[0] += (unsigned long long)a;
}
