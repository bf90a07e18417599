// global 8 1 3, local 8 1 3, offset 0 0 0, data 0
// A store to a place near its own, which of the two another load says.
typedef struct { int a; float f; short s; long l; } Options;
#define SIZE 24u
__kernel void run(__global ulong *out, __global uint *totals, __global const uint *in,
                  __global const float *fin, int n, int m, Options options, __global uint *words,
                  __global ulong *lines, __global float *wave,
                  float4 quad, __local uint *given) {
    const uint place = (get_global_id(0) - get_global_offset(0)) + get_global_size(0) *
                       ((get_global_id(1) - get_global_offset(1)) + get_global_size(1) *
                        (get_global_id(2) - get_global_offset(2)));
    uint a = in[get_global_id(0) & 63];
    __global uint2 *line0 = (__global uint2 *)(lines + 0 * 2 * SIZE);
    barrier(CLK_LOCAL_MEM_FENCE);
            uint left1 = (a % (a | (uint)(1))) & 7;
            line0[SIZE - 1 - place + ((line0[SIZE - 1 - place + ((unsigned)a & 1) * SIZE]).s1 & 1) * SIZE] = (uint2)(left1);
}
