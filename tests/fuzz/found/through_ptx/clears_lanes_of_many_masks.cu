// grid 3, block 16 16, data 2
template <typename T> __device__ T ordered(T x) { return x == x ? x : T(0); }
template <typename T> __device__ int bounded(T x) { return x > T(-1e9) && x < T(1e9) ? (int)x : 0; }
struct Options { int a; float f; short s; long long l; };
constexpr unsigned ITEMS = 256, SIZE = 768;
__shared__ float swapped[2][ITEMS];
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,
                       int n, int m, Options options, unsigned *words, unsigned long long *lines,
                       float *wave) {
    __shared__ unsigned shared0[ITEMS];
    __shared__ int shared1[ITEMS];
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned place = group * ITEMS + item;
    unsigned long long *own = out + 4 * place;
    words += 4 * place;
    int phase = 0, u0 = m, u1 = 1;
    unsigned a = in[place & 63];
    double kept0[4] = {0.25, n};
    uchar4 kept1 = make_uchar4((unsigned char)item, 2, 3, 4);
    unsigned long long *line0 = (unsigned long long *)(lines + 0 * 2 * SIZE);
    short *line1 = (short *)(lines + 1 * 2 * SIZE);
    swapped[0][item] = swapped[1][item] = 0;
    shared0[item] = (unsigned)in[item & 63];
    shared1[ITEMS - 1 - (item)] = (int)in[item & 63];
    __syncthreads();
    {
    }
tail:
    {
        if ((threadIdx.x / 8 == 0))
        {
            if ((a & 4)) goto done;
            kept1.z = (unsigned char)(kept1.z + (unsigned char)(kept1.z ^ (unsigned char)(int)blockDim.y));
            if ((threadIdx.z == 0)) goto skip1;
            {
                if (((a / (a | 1u)) & 1)) { goto skip1; }
                a = __umul24(max(a, a), __umul24(a, a));
            }
            skip1:;
        }
        if (((unsigned __int128)bounded(wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))]) == (unsigned __int128)((a & 3) && (unsigned __int128)a != (unsigned __int128)bounded(fin[__float_as_uint(ordered(fin[(unsigned)bounded(((const double *)fin)[(blockIdx.x * blockDim.x + threadIdx.x)]) & 63])) & 63]))))
        {
            {
                unsigned left2 = a & 7;
                for (; left2 > 0; left2 -= 1)
                {
                }
                wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] = (float)left2;
            }
        }
    }
done:
    own[0] += (unsigned long long)a;
    own[1] += (unsigned long long)__double_as_longlong(ordered(kept0[item & 3]));
    own[2] += (unsigned long long)__double_as_longlong(ordered(kept0[2]));
    own[3] += (unsigned long long)kept1.x;
    own[0] += (unsigned long long)kept1.y;
    own[1] += (unsigned long long)kept1.z;
    own[2] += (unsigned long long)kept1.w;
    own[3] += line0[SIZE - 1 - place + (item & 1) * SIZE];
    own[0] += (unsigned long long)line1[SIZE - 1 - place];
    own[1] += (unsigned long long)__float_as_uint(ordered(wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))]));
    own[0] += phase + u0 + 2 * u1;
}
