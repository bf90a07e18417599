// grid 2, block 16, data 0
// A struct that a call returns, which is not inlined, is kept over a barrier as a whole, since LLVM moves its fields to
// where they are used. Lanes have no values of structs that have a name.
#include <cuda_fp16.h>
struct Options { int a; float f; short s; long long l; };
__device__ __noinline__ __half added(__half x, unsigned steps) {
    return steps == 0 ? x : x + added(x, steps - 1);
}
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,
                       int n, int m, Options options, unsigned *words, unsigned long long *lines,
                       float *wave) {
    unsigned place = threadIdx.x + blockIdx.x * 16;
    __half h = added(__float2half((float)(in[place & 63] & 7)), threadIdx.x & 3);
    int all = __syncthreads_and(threadIdx.x == 15);
    if (in[(place + all) & 63] & 1) out[4 * place] = (unsigned long long)__half2float(h);
}
