// grid 1, block 1, data 0
#define ITEMS 1u
template <typename T> __device__ T ordered(T x) { return x == x ? x : T(0); }
template <typename T> __device__ int bounded(T x) { return x > T(-1e9) && x < T(1e9) ? (int)x : 0; }
struct Pair { unsigned a; float f; short s; double d; };
struct Options { int a; float f; short s; long long l; };
__shared__ unsigned swapped[2][ITEMS];
extern "C" __global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in,
                                  const float *fin, int n, int m, Options options) {
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned long long *own = out + 4 * (group * ITEMS + item);
    int phase = 0, u0 = m, u1 = 1;
    unsigned a = in[(group * ITEMS + item) & 63];
    unsigned b = (unsigned)item;
    unsigned c = (unsigned)item;
    swapped[0][item] = swapped[1][item] = 0;
    {
    }
    __syncthreads();
    {
    }
tail:
    {
        a = a;
        if ((a & 1)) goto done;
        unsigned v1 = a;
        for (int r2 = 0; r2 < (2); ++r2)
        {
            if ((in[a & 63] & 1)) return;
            a = (a + (a + a));
        }
        a = a;
        if ((a & 1)) goto done;
    }
done:
    own[0] += (unsigned long long)a;
    own[1] += (unsigned long long)b;
    own[2] += (unsigned long long)c;
    own[0] += phase + u0 + 2 * u1;
}
