// grid 3, block 16, data 4
// A branch of all work-items led to the end and to a block that only some come to from elsewhere; then some work-items were lost.
template <typename T> __device__ T ordered(T x) { return x == x ? x : T(0); }
struct Pair { unsigned a; float f; short s; double d; };
struct Options { int a; float f; short s; long long l; };
template <typename T> struct Box {
};
template <typename T> __device__ T *later(T *first, unsigned steps) {
    for (; steps > 0; --steps) ++first;
    return first;
}
constexpr unsigned ITEMS = 16;
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,
                       int n, int m, Options options, unsigned *words) {
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned long long *own = out + 4 * (group * ITEMS + item);
    int phase = 0, u0 = m, u1 = 1;
    unsigned a = in[(group * ITEMS + item) & 63];
    uint4 kept1 = make_uint4(item, 1, 2, in[3]);
    {
        if ((__double2uint_rz(ordered((double)m)) & 2)) return;
        {
            {
                if ((__uhadd(kept1.w, kept1.w) & 2)) goto tail;
                Pair w4[3] = {{item}, {1, 2.0f}};
                u0 = __syncthreads_and(((int)later(w4, (unsigned)a % 3)->s != (int)((unsigned int)(int)kept1.y + (unsigned int)(int)kept1.y)));
                if ((a & 1)) return;
            }
        }
    }
tail:
    own[0] += phase + u0 + 2 * u1;
}