// global 15, local 16, offset 0, data 0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define OVERLOADED static __attribute__((overloadable))
#define ORDERED(T, E, N) OVERLOADED T ordered(T x) { return x == x ? x : (T)(0); }
ORDERED(float, float, 1)
ORDERED(float2, float, 2)
ORDERED(float3, float, 3)
ORDERED(float4, float, 4)
ORDERED(float8, float, 8)
ORDERED(float16, float, 16)
ORDERED(double, double, 1)
ORDERED(double2, double, 2)
ORDERED(double3, double, 3)
ORDERED(double4, double, 4)
ORDERED(double8, double, 8)
ORDERED(double16, double, 16)
ORDERED(half, half, 1)
ORDERED(half2, half, 2)
ORDERED(half3, half, 3)
ORDERED(half4, half, 4)
ORDERED(half8, half, 8)
ORDERED(half16, half, 16)

#define BOUNDED(T, E, N) OVERLOADED int bounded(T x) { return x > (T)-1e4f && x < (T)1e4f ? (int)x : 0; }
BOUNDED(float, float, 1)
BOUNDED(double, double, 1)
BOUNDED(half, half, 1)

#define DIVIDED(T, E, N) \
    OVERLOADED T divided(T a, T b) { return b != 0 && !((T)-1 < (T)0 && b == (T)-1) ? a / b : a; }
DIVIDED(uint, uint, 1)
DIVIDED(int, int, 1)
DIVIDED(long, long, 1)
DIVIDED(ulong, ulong, 1)
DIVIDED(short, short, 1)
DIVIDED(ushort, ushort, 1)
DIVIDED(char, char, 1)
DIVIDED(uchar, uchar, 1)

#define WORD(T, E, N) OVERLOADED ulong word(T x) { return (ulong)x; }
WORD(uint, uint, 1)
WORD(int, int, 1)
WORD(long, long, 1)
WORD(ulong, ulong, 1)
WORD(short, short, 1)
WORD(ushort, ushort, 1)
WORD(char, char, 1)
WORD(uchar, uchar, 1)

OVERLOADED ulong word(half x) { return as_ushort(ordered(x)); }
OVERLOADED ulong word(float x) { return as_uint(ordered(x)); }
OVERLOADED ulong word(double x) { return as_ulong(ordered(x)); }
#define FOLDED(T, E, N) OVERLOADED ulong folded(T x) { \
    E parts[N]; \
    ulong sum = 7; \
    vstore##N(x, 0, parts); \
    for (int i = 0; i < N; ++i) sum = sum * 0x9e3779b97f4a7c15ul + word(parts[i]); \
    return sum; \
}
FOLDED(uint2, uint, 2)
FOLDED(uint3, uint, 3)
FOLDED(uint4, uint, 4)
FOLDED(uint8, uint, 8)
FOLDED(uint16, uint, 16)
FOLDED(int2, int, 2)
FOLDED(int3, int, 3)
FOLDED(int4, int, 4)
FOLDED(int8, int, 8)
FOLDED(int16, int, 16)
FOLDED(float2, float, 2)
FOLDED(float3, float, 3)
FOLDED(float4, float, 4)
FOLDED(float8, float, 8)
FOLDED(float16, float, 16)
FOLDED(double2, double, 2)
FOLDED(double3, double, 3)
FOLDED(double4, double, 4)
FOLDED(double8, double, 8)
FOLDED(double16, double, 16)
FOLDED(long2, long, 2)
FOLDED(long3, long, 3)
FOLDED(long4, long, 4)
FOLDED(long8, long, 8)
FOLDED(long16, long, 16)
FOLDED(ulong2, ulong, 2)
FOLDED(ulong3, ulong, 3)
FOLDED(ulong4, ulong, 4)
FOLDED(ulong8, ulong, 8)
FOLDED(ulong16, ulong, 16)
FOLDED(short2, short, 2)
FOLDED(short3, short, 3)
FOLDED(short4, short, 4)
FOLDED(short8, short, 8)
FOLDED(short16, short, 16)
FOLDED(ushort2, ushort, 2)
FOLDED(ushort3, ushort, 3)
FOLDED(ushort4, ushort, 4)
FOLDED(ushort8, ushort, 8)
FOLDED(ushort16, ushort, 16)
FOLDED(char2, char, 2)
FOLDED(char3, char, 3)
FOLDED(char4, char, 4)
FOLDED(char8, char, 8)
FOLDED(char16, char, 16)
FOLDED(uchar2, uchar, 2)
FOLDED(uchar3, uchar, 3)
FOLDED(uchar4, uchar, 4)
FOLDED(uchar8, uchar, 8)
FOLDED(uchar16, uchar, 16)
FOLDED(half2, half, 2)
FOLDED(half3, half, 3)
FOLDED(half4, half, 4)
FOLDED(half8, half, 8)
FOLDED(half16, half, 16)

#define TWO_RESULTS(T, E, N) \
    OVERLOADED T sine_and_cosine(T x) { T other, sine = sincos(x, &other); return sine - other; } \
    OVERLOADED T parts(T x) { T whole, part = modf(x, &whole); return part + fract(whole, &part) + part; }
TWO_RESULTS(float, float, 1)
TWO_RESULTS(float2, float, 2)
TWO_RESULTS(float3, float, 3)
TWO_RESULTS(float4, float, 4)
TWO_RESULTS(double, double, 1)
TWO_RESULTS(double2, double, 2)
TWO_RESULTS(double3, double, 3)
TWO_RESULTS(double4, double, 4)
//, half, 1)
//2, half, 2)
//3, half, 3)
//4, half, 4)

typedef struct { uint a; float f; short s; float4 v; } Pair;
typedef struct { int a; float f; short s; long l; } Options;
typedef union { uint u; int i; ushort h[2]; uchar b[4]; uchar4 v; } Word;
typedef struct { Pair pair; uint2 v; struct { char c; long l; } list[2]; } Nested;
static Pair passed(Pair x) { return x; }
static __attribute__((noinline)) void exchange(Pair *x, Pair *y) { Pair z = *x; *x = *y; *y = z; }
static float4 *later(float4 *first, uint steps) {
    for (; steps > 0; --steps) ++first;
    return first;
}
OVERLOADED void add_by_cas(__global uint *place, uint x) {
    for (uint seen = *place, old; (old = atomic_cmpxchg(place, seen, seen + x)) != seen; seen = old) {}
}
OVERLOADED void add_by_cas(__local uint *place, uint x) {
    for (uint seen = *place, old; (old = atomic_cmpxchg(place, seen, seen + x)) != seen; seen = old) {}
}
__constant uint table[16] = {7, 0, 1, 0x80000000u, 3, ~0u, 100, 5, 2, 9, 0xdeadbeefu, 64, 31, 8, 1, 12345};
#define ITEMS ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
#define CAPACITY 16
#define SIZE 15u
static uint plain0(uint x, uint y, __global const uint *in, __global const float *fin, int n, int m, uint item) {
    {
    }
    return y;
}
static __attribute__((always_inline)) uint helper0(uint x, int u, __global const uint *in, __global const float *fin, int n, int m, uint item, uint group, __local uint (*swapped)[CAPACITY], int *shared_phase, __global ulong *own, __global uint *totals, __global uint *words) {
    int phase = *shared_phase;
    {
    }
    *shared_phase = phase;
    return x;
}
__kernel void run(__global ulong *out, __global uint *totals, __global const uint *in,
                  __global const float *fin, int n, int m, Options options, __global uint *words,
                  __global ulong *lines, __global float *wave,
                  float4 quad, __local uint *given) {
    __local uint swapped[2][CAPACITY];
    __local float shared0[(CAPACITY - 1) / 1 + 1][2];
    __local uint shared1[(CAPACITY - 1) / 1 + 1][2];
    const uint item = get_local_id(0) + get_local_size(0) *
                      (get_local_id(1) + get_local_size(1) * get_local_id(2));
    const uint group = get_group_id(0) + get_num_groups(0) *
                       (get_group_id(1) + get_num_groups(1) * get_group_id(2));
    const uint place = (get_global_id(0) - get_global_offset(0)) + get_global_size(0) *
                       ((get_global_id(1) - get_global_offset(1)) + get_global_size(1) *
                        (get_global_id(2) - get_global_offset(2)));
    __global ulong *own = out + 4 * place;
    words += 4 * place;
    int phase = 0, u0 = m, u1 = 1;
    uint a = in[get_global_id(0) & 63];
    uint b = item;
    swapped[0][item] = swapped[1][item] = (uint)(0);
    shared0[(item) / 1][(item) % 1] = (float)(in[item & 63]);
    shared1[(item) / 1][(item) % 1] = in[item & 63];
    barrier(CLK_LOCAL_MEM_FENCE);
    {
        wave[SIZE - 1 - place + ((vload4(place, in)).s3 & 1) * SIZE] = wave[SIZE - 1 - place + ((unsigned)a & 1) * SIZE];
    }
tail:
    {
    }
done:
    own[0] += (ulong)(a);
    own[1] += (ulong)(b);
    own[2] += (ulong)as_uint(ordered(wave[SIZE - 1 - place + (item & 1) * SIZE]));
    own[0] += phase + u0 + 2 * u1;
}
