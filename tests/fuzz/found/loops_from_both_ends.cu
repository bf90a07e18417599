// grid 1, block 5 3, data 0
// A loop in a loop, each left by other lanes: what the inner one leaves behind is that of its last round.
struct Options { int a; float f; short s; long long l; };
constexpr unsigned ITEMS = 15, SIZE = 15;
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,
                       int n, int m, Options options, unsigned *words, unsigned long long *lines,
                       float *wave) {
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned place = group * ITEMS + item;
    unsigned long long *own = out + 4 * place;
    unsigned a = in[place & 63];
    __syncthreads();
        for (unsigned at1 = ITEMS - 1 - item; at1 + 1 < 2 * ITEMS; at1 += ITEMS)
        {
            a = in[at1];
                for (unsigned at2 = item; at2 + 5 < 2 * ITEMS; at2 += ITEMS)
                    a = in[at2];
        }
    own[0] += (unsigned long long)a;
}
