// grid 1, block 257, data 6
// A match of all lanes has two results.
template <typename T> __device__ int bounded(T x) { return x > T(-1e9) && x < T(1e9) ? (int)x : 0; }
struct Options { int a; float f; short s; long long l; };
template <typename T> struct Box {
    T value;
    __device__ Box(T v) : value(v) {}
};
__device__ unsigned nth_lane(unsigned mask, unsigned n) {
    return __ffs(mask) - 1;
}
constexpr unsigned ITEMS = 257, SIZE = 257;
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,
                       int n, int m, Options options, unsigned *words, unsigned long long *lines,
                       float *wave) {
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned place = group * ITEMS + item;
    unsigned long long *own = out + 4 * place;
    unsigned a = in[place & 63];
    double b = (double)item;
    Box<unsigned> kept0(item);
    const unsigned live = __ballot_sync(0xffffffffu, true);
    __syncthreads();
            int q2;
            const unsigned v1 = __match_all_sync(live, (long long)(long long)(threadIdx.x + threadIdx.y), &q2) + q2;
            kept0.value = v1;
        __syncthreads();
                const unsigned here4 = __ballot_sync(live, true);
                const double v5 = __shfl_sync(live, (double)b, nth_lane(here4, a));
                a = (unsigned)bounded(v5);
        __syncthreads();
    own[0] += (unsigned long long)a;
    own[3] += (unsigned long long)kept0.value;
}
