// grid 1 2, block 65, data 1
#include <cuda_fp16.h>
template <typename T> __device__ T ordered(T x) { return x == x ? x : T(0); }
template <typename T> __device__ int bounded(T x) { return x > T(-1e9) && x < T(1e9) ? (int)x : 0; }
template <typename T> __device__ bool has_quotient(T a, T b) { return b != 0 && !(T(-1) < T(0) && b == T(-1)); }
template <typename T> __device__ T divided(T a, T b) { return has_quotient(a, b) ? a / b : a; }
struct Pair { unsigned a; float f; short s; double d; };
struct Options { int a; float f; short s; long long l; };
__constant__ unsigned table[16] = {7, 0, 1, 0x80000000u, 3, ~0u, 100, 5, 2, 9, 0xdeadbeefu, 64, 31, 8, 1, 12345};
constexpr unsigned ITEMS = 65, SIZE = 130;
__shared__ int swapped[2][ITEMS];
__device__ __noinline__ int plain0a(int x, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    {
        {
            int r1 = 0;
            if ((__float2int_rn(ordered((float)x)) < __double2hiint(ordered((double)(threadIdx.x + threadIdx.y))))) goto middle3;
            top2:
            {
                if (((short)((short)x < (short)x) >= (short)((short)bounded(fin[2 * SIZE - 2 * item]) - (short)x)))
                {
                    auto f4 = [=](signed char x5) mutable { return (unsigned __int128)(unsigned __int128)item; };
                    auto f6 = [kept = __float_as_uint(ordered(fin[in[(unsigned)((const short *)in)[item + 1] & 63] & 63]))](bool x7) mutable { return kept = kept * 3 + (unsigned)x7; };
                }
            }
            middle3:
            {
            }
            if (++r1 < ((((n & 63) * 5) & 3))) goto top2;
        }
    }
    return x;
}
__device__ inline int plain0b(int x, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    {
        double v1 = (double)x;
        unsigned short v2 = (unsigned short)((unsigned short)((unsigned short)x - (unsigned short)bounded(v1)) < (unsigned short)((unsigned short)x >> ((unsigned short)in[item / 2] & 7)));
        x = __double2hiint(ordered((-v1)));
        for (unsigned at3 = item + 1; at3 + 1 < 1 * ITEMS; at3 += ITEMS)
        {
            v2 = (unsigned short)in[at3];
            {
            }
        }
    }
    return x;
}
using Pointer0 = int (*)(int, const unsigned *, const float *, int, int, unsigned);
__device__ const Pointer0 pointers0[2] = {plain0a, plain0b};
__device__ int plain0(int x, unsigned which, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    return pointers0[which & 1](x, in, fin, n, m, item);
}
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,
                       int n, int m, Options options, unsigned *words, unsigned long long *lines,
                       float *wave) {
    extern volatile __shared__ unsigned long long shared0[];
    struct Cell1 { double a; Pair pair; };
    __shared__ Cell1 shared1[ITEMS];
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned place = group * ITEMS + item;
    unsigned long long *own = out + 4 * place;
    words += 4 * place;
    int phase = 0, u0 = m, u1 = 1;
    unsigned a = in[place & 63];
    __half b = (__half)item;
    signed char *line0 = (signed char *)(lines + 0 * 2 * SIZE);
    long long *line1 = (long long *)(lines + 1 * 2 * SIZE);
    swapped[0][item] = swapped[1][item] = 0;
    shared0[item] = (unsigned long long)in[item & 63];
    shared1[item].a = (double)in[item & 63];
    shared1[item].pair.s = (short)in[item & 63];
    __syncthreads();
    {
        u1 = (int)((unsigned)3 + (unsigned)(int)gridDim.x);
        options.f = (float)plain0((int)((int)a < (int)(in[(int)(in[3 & 63] & 7) & 63] & 7)), (unsigned)(a < a), in, fin, n, m, item);
        swapped[phase][item] = (int)((const unsigned long long *)in)[(blockIdx.x * blockDim.x + threadIdx.x)];
        __syncthreads();
        options.f = (float)swapped[phase][ITEMS - 1 - item];
        phase ^= 1;
        {
            int round1 = 0;
            const int end2 = 2 + (n & 3);
            at4:;
            line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] = (long long)((unsigned long long)line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] - (unsigned long long)options.l); wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] = (wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] - options.f); a = (a + a);
            {
                {
                    int round7 = 0;
                    const int end8 = 2 + (a & 3);
                    for (;;) {
                        ++round7;
                        options.l = (long long)((unsigned long long)options.l + (unsigned long long)options.l); line0[2 * place + (in[2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1] & 1)] = (signed char)(line0[2 * place + (in[2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1] & 1)] + (signed char)a); line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] = (long long)((unsigned long long)line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] + (unsigned long long)(long long)in[threadIdx.x + place % 2]);
                        if (round7 < end8 && (((unsigned __int128)round1 ^ (unsigned __int128)((const long long *)in)[SIZE - (blockIdx.x * blockDim.x + threadIdx.x)]) >= (unsigned __int128)bounded(__half2float(b)))) { options.l = (long long)((unsigned long long)options.l - (unsigned long long)(long long)(unsigned long long)shared0[item]); line0[2 * place + (a & 1)] = (signed char)(line0[2 * place + (a & 1)] + (signed char)line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))]); line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] = (long long)((unsigned long long)line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] - (unsigned long long)options.l); continue; }
                        {
                            auto f9 = [&](auto x10) -> unsigned long long { return x10 == (unsigned long long)1 ? (unsigned long long)1 : (unsigned long long)((x10 ^ (unsigned long long)(threadIdx.x + threadIdx.y)) / ((unsigned long long)line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] | 1ull)); };
                            if ((threadIdx.x == blockDim.x - 1)) { goto out3; }
                            shared1[item].a = sqrt(fabs((double)((double)round1 < (double)round7)));
                            a = divided(__uhadd(a, in[(blockIdx.x * blockDim.x + threadIdx.x) / 4 + 5]), __umulhi((unsigned)(int)blockIdx.x, (unsigned)round7));
                            atomicAdd(&totals[0], (unsigned)(unsigned long long)(short)((short)options.l - (short)u1));
                        }
                        options.l = (long long)((unsigned long long)options.l + (unsigned long long)__double_as_longlong(ordered(shared1[item].a))); line0[2 * place + (in[item] & 1)] = (signed char)(line0[2 * place + (in[item] & 1)] - line0[2 * place + ((unsigned)a & 1)]); line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] = (long long)((unsigned long long)line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] + (unsigned long long)(long long)round1);
                        if (round7 >= end8 || ((a - a) & 1)) break;
                    }
                }
            }
            if (round1++ < end2 && ((unsigned)plain0((int)(unsigned long long)shared0[item], (unsigned)(int)(in[u1 & 63] & 7), in, fin, n, m, item) & 4)) { line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] = (long long)((unsigned long long)line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] - (unsigned long long)(long long)in[item]); wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] = (wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] - wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))]); a = (a - table[a & 15]); goto at4; }
            at5:;
            line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] = (long long)((unsigned long long)line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] + (unsigned long long)options.l); wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] = (wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] - wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))]); a = (a - a);
            {
            }
            if (round1++ < end2 && (options.f == (options.f * (float)threadIdx.x + (float)round1))) {  goto at4; }
            at6:;
            line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] = (long long)((unsigned long long)line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] - (unsigned long long)(long long)in[place]); wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] = (wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))] - wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))]); a = (a - a);
            if (round1++ < end2 && (blockIdx.x & 1)) {  goto at6; }
            out3:;
        }
    }
tail:
    {
    }
done:
    own[0] += (unsigned long long)a;
    own[1] += (unsigned long long)__half_as_ushort(ordered(b));
    own[2] += (unsigned long long)__float_as_uint(ordered(options.f));
    own[3] += (unsigned long long)options.l;
    own[0] += (unsigned long long)line0[2 * place + (item & 1)];
    own[1] += (unsigned long long)line1[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))];
    own[2] += (unsigned long long)__float_as_uint(ordered(wave[(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))]));
    own[0] += phase + u0 + 2 * u1;
}
