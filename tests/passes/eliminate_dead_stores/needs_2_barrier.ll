; Other threads may read at a barrier what is stored, and after the kernel what the last store leaves.
define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
  store float 0.0, ptr %p, align 4
  call void @llvm.nvvm.barrier0()
  store float 1.0, ptr %p, align 4
  ret void
}
declare void @llvm.nvvm.barrier0()
; -- unchanged
