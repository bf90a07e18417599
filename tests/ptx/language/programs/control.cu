// Switches that become tables of branches, loops, divergence, inline assembly with blocks of its own.
__device__ __forceinline__ unsigned lane() { unsigned r; asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__global__ void machine(const int *code, int n, int *out) {
    int a = threadIdx.x, b = 1;
    for (int i = 0; i < n; i++) {
        switch (code[i]) {
        case 0: a += b; break;
        case 1: a -= b * out[i]; break;
        case 2: a = b; b = a + 1; break;
        case 3: if (a) { i += b; } break;
        case 4: out[i] = a; break;
        case 5: a = __popc(a); break;
        case 6: b = __clz(a) + out[a & 7]; break;
        case 7: a ^= b; [[fallthrough]];
        case 8: b <<= 1; break;
        case 9: a = out[b & 15]; break;
        case 10: __syncthreads(); break;
        default: return;
        }
    }
    int r;
    asm volatile("{\n\t.reg .pred p;\n\t.reg .b32 t<3>;\n\tsetp.ne.s32 p, %1, 0;\n\tmov.b32 t0, %2;\n"
                 "\t@!p bra SKIP;\n\tadd.s32 t0, t0, 1;\nSKIP:\n\tmov.b32 %0, t0;\n}" : "=r"(r) : "r"(a), "r"(b));
    asm volatile("{ .reg .u64 w; cvt.u64.u32 w, %1; { .reg .u32 w; mov.u32 w, 5; add.u32 %0, %0, w; } }" : "+r"(r) : "r"(lane()));
    asm volatile("prefetch.global.L2 [%0+128];" ::"l"(out));
#pragma unroll 1
    for (int k = 0; k < r; k++) out[k] = a + __shfl_xor_sync(0xffffffffu, b, 1);
    if (__any_sync(__activemask(), r > 3)) __trap();
    __nanosleep(20);
    out[a] = r + __shfl_sync(~0u, r, 3) + clock() + __match_any_sync(~0u, a);
    atomicAdd(out, r); atomicCAS(out + 1, 2, r); atomicMax(out + 3, -1);
}
