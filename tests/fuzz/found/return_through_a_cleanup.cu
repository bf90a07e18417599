// grid 2, block 32, data 4
#define ITEMS 32u
template <typename T> __device__ T ordered(T x) { return x == x ? x : T(0); }
template <typename T> __device__ int bounded(T x) { return x > T(-1e9) && x < T(1e9) ? (int)x : 0; }
struct Pair { unsigned a; float f; short s; double d; };
struct Options { int a; float f; short s; long long l; };
__shared__ unsigned swapped[2][ITEMS];
__device__ __forceinline__ unsigned helper0(unsigned x, int u, const unsigned *in, const float *fin, int n, int m, unsigned item, int &phase, unsigned long long *own, unsigned *totals) {
    {
        x = x;
    }
    return x;
}
__device__ __forceinline__ float helper1(float x, int u, const unsigned *in, const float *fin, int n, int m, unsigned item, int &phase, unsigned long long *own, unsigned *totals) {
    {
        switch ((int)((unsigned)n + (unsigned)n) & 3) {
        case 0:
            {
                switch ((int)((unsigned)n + (unsigned)n) & 3) {
                case 0:
                    {
                    }
                case 2:
                    {
                        for (int r1 = 0; r1 < (2); ++r1)
                        {
                            own[__float_as_uint(ordered(x)) & 3] = (unsigned long long)__float_as_uint(ordered(x));
                            if ((__float_as_uint(ordered(x)) < (__float_as_uint(ordered(x)) + __float_as_uint(ordered(x))))) { break; }
                            x = x;
                        }
                    }
                default:
                    {
                    }
                }
            }
        case 2:
            {
            }
        default:
            {
            }
        }
    }
    return x;
}
extern "C" __global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in,
                                  const float *fin, int n, int m, Options options) {
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned long long *own = out + 4 * (group * ITEMS + item);
    int phase = 0, u0 = m, u1 = 1;
    unsigned a = in[(group * ITEMS + item) & 63];
    int b = (int)item;
    int c = (int)item;
    swapped[0][item] = swapped[1][item] = 0;
    __syncthreads();
    {
        a = a;
        b = ((a & 1) ? b : b);
        for (int r1 = 0; r1 < (((int)((unsigned)n + (unsigned)n) & 3)); ++r1)
        {
            int v2 = b;
            if ((a & 1)) return;
            u0 = __syncthreads_count((a & 1));
        }
        __syncthreads();
    }
tail:
    {
    }
done:
    own[0] += (unsigned long long)a;
    own[1] += (unsigned long long)b;
    own[2] += (unsigned long long)c;
    own[0] += phase + u0 + 2 * u1;
}
