; Other threads load from the variable that is stored to.
@tile = internal addrspace(3) global [64 x float] undef, align 4
define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
  %t = getelementptr float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %i
  store float 0.0, ptr %t, align 4
  call void @llvm.nvvm.barrier0()
  %x = load float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), align 4
  store float %x, ptr %q, align 4
  ret void
}
declare void @llvm.nvvm.barrier0()
; -- unchanged
