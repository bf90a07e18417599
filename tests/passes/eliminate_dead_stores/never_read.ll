; Nobody loads from the variable, across a barrier or not. The load that is stored to it goes, too.
@tile = internal addrspace(3) global [64 x float] undef, align 4
define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
  %v = alloca float, align 4
  store float 1.0, ptr %v, align 4
  %x = load float, ptr %v, align 4
  %t = getelementptr float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %i
  store float %x, ptr %t, align 4
  call void @llvm.nvvm.barrier0()
  ret void
}
declare void @llvm.nvvm.barrier0()
; -- becomes
@tile = internal addrspace(3) global [64 x float] undef, align 4

define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
0:
  %v = alloca float, align 4
  call void @llvm.nvvm.barrier0()
  ret void
}

declare void @llvm.nvvm.barrier0()
