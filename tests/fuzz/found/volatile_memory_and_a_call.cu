// grid 1, block 16, data 0
// Volatile memory alone makes no warp of the work-items where a call can't be one of lanes.
struct Options { int a; float f; short s; long long l; };
constexpr unsigned ITEMS = 16, SIZE = 16;
__device__ __noinline__ unsigned plain1a(unsigned x, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    return x;
}
__device__  unsigned plain1b(unsigned x, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    return x;
}
using Pointer1 = unsigned (*)(unsigned, const unsigned *, const float *, int, int, unsigned);
__device__ Pointer1 pointers1[2] = {plain1a, plain1b};
__device__ unsigned plain1(unsigned x, unsigned which, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    return pointers1[which & 1](x, in, fin, n, m, item);
}
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,
                       int n, int m, Options options, unsigned *words, unsigned long long *lines,
                       float *wave) {
    extern volatile __shared__ unsigned short shared0[];
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned place = group * ITEMS + item;
    int phase = 0, u0 = m, u1 = 1;
    unsigned a = in[place & 63];
    shared0[item] = (unsigned short)in[item & 63];
    __syncthreads();
        u0 = __syncthreads_or((plain1(a, a, in, fin, n, m, item) & 1));
}
