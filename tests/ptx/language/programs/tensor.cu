// Tensor cores, asynchronous copies, cooperative groups, packed arithmetic.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
namespace cg = cooperative_groups;
using namespace nvcuda;
__global__ void product(const half *a, const half *b, float *c, int n) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    for (int k = 0; k < n; k += 16) { wmma::load_matrix_sync(fa, a + k, n); wmma::load_matrix_sync(fb, b + k, n); wmma::mma_sync(fc, fa, fb, fc); }
    wmma::store_matrix_sync(c, fc, n, wmma::mem_row_major);
}
#if __CUDA_ARCH__ >= 800
__global__ void fragments(const unsigned *a, float *d) {
    __shared__ uint4 stage[128];
    __pipeline_memcpy_async(stage + threadIdx.x, a + threadIdx.x * 4, 16); __pipeline_commit(); __pipeline_wait_prior(0);
    __syncthreads();
    unsigned r[4]; float f[4] = {};
    unsigned where = (unsigned)__cvta_generic_to_shared(stage);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(where));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3]) : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[0]), "r"(r[1]));
    __nv_bfloat162 packed = __hfma2(__float2bfloat162_rn(f[0]), __float2bfloat162_rn(f[1]), __float2bfloat162_rn(f[2]));
    d[threadIdx.x] = f[0] + f[3] + __low2float(packed);
}
#endif
__global__ void groups(int *out) {
    auto block = cg::this_thread_block(); auto warp = cg::tiled_partition<32>(block);
    auto few = cg::tiled_partition<8>(warp); auto now = cg::coalesced_threads();
    int v = cg::reduce(warp, out[block.thread_rank()], cg::plus<int>());
    v += few.shfl_down(v, 1) + now.size() + now.ballot(v > 2); cg::this_grid().sync();
    out[block.thread_rank()] = v; atomicAdd(out + 1, v);
    atomicAdd((__half2 *)out, __floats2half2_rn(1, 2));
}
