; Another thread may store there before the barrier.
@tile = internal addrspace(3) global [64 x float] undef, align 4
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
  %t = getelementptr float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %n
  %x = load float, ptr %t, align 4
  call void @llvm.nvvm.barrier0()
  %y = load float, ptr %t, align 4
  store float %x, ptr %out, align 4
  store float %y, ptr %out, align 4
  ret void
}
declare void @llvm.nvvm.barrier0()
; -- unchanged
