// grid 1, block 2, data 6
struct Options { int a; float f; short s; long long l; };
constexpr unsigned ITEMS = 2;
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,
                       int n, int m, Options options, unsigned *words, unsigned long long *lines,
                       float *wave) {
    __shared__ int shared0[ITEMS];
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned place = group * ITEMS + item;
    words += 4 * place;
    unsigned a = in[place & 63];
    {
        auto f1 = [kept = (item / 32)](unsigned long long x2) mutable { return kept = kept * 3 + (unsigned)x2; };
        {
            a = item ? 1 : 7;
        }
        {
            int r6 = 0;
            do {
                ++r6;
                {
                    if ((r6 < (int)a)) { continue; }
                    shared0[item] = __dp4a(options.a, (int)f1(a), 0);
                    *(uint4 *)(words + 0) = make_uint4(77, __vseteq2(1, a), 0, a);
                }
            } while (r6 < (f1(0x410451ec)&3));
        }
    }
}