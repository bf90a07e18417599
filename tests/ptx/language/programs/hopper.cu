// What sm_90a brought: barriers in shared memory, bulk and tensor copies, clusters, wgmma, setmaxnreg.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) copies(const __grid_constant__ CUtensorMap map, const int *in, int *out) {
    __shared__ alignas(128) int tile[1024]; __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) { init(&bar, blockDim.x); cuda::device::experimental::fence_proxy_async_shared_cta(); }
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::experimental::cp_async_bulk_tensor_2d_global_to_shared(tile, &map, 0, 1, bar);
        cuda::device::experimental::cp_async_bulk_global_to_shared(tile, in, 512, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else token = bar.arrive();
    bar.wait(std::move(token));
    int *other = cluster.map_shared_rank(tile, 1);
    out[threadIdx.x] = other[threadIdx.x] + tile[3]; cluster.sync();
}
#if __CUDA_ARCH_FEAT_SM90_ALL
__global__ void products(float *d, unsigned long long a, unsigned long long b) {
    float x = d[0], y = d[1], z = d[2], w = d[3];
    asm volatile("setmaxnreg.inc.sync.aligned.u32 128;");
    asm volatile("wgmma.fence.sync.aligned;");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0;\n wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 1; }"
                 : "+f"(x), "+f"(y), "+f"(z), "+f"(w) : "l"(a), "l"(b), "r"(1));
    asm volatile("wgmma.commit_group.sync.aligned;"); asm volatile("wgmma.wait_group.sync.aligned 0;");
    d[0] = x + y + z + w;
}
#endif
#if __CUDA_ARCH_FEAT_SM100_ALL
__global__ void fifth(unsigned *out, unsigned long long a, unsigned long long b, float2 *f) {
    __shared__ unsigned address; __shared__ unsigned long long bar;
    unsigned s = (unsigned)__cvta_generic_to_shared(&address), m = (unsigned)__cvta_generic_to_shared(&bar), r[4];
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 128;" ::"r"(s));
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }" ::"r"(address), "l"(a), "l"(b), "r"(7), "r"(1));
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(m));
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
    asm volatile("tcgen05.wait::ld.sync.aligned;");
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 128;" ::"r"(address));
    out[threadIdx.x] = r[0] + r[3]; f[0] = __ffma2_rn(f[0], f[1], f[2]);
}
#endif
