; The function ends, and with it its variable.
define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
  %v = alloca [4 x float], align 4
  %a = getelementptr float, ptr %v, i64 %i
  %x = load float, ptr %a, align 4
  store float %x, ptr %p, align 4
  call void @llvm.nvvm.barrier0()
  store float 2.0, ptr %v, align 4
  ret void
}
declare void @llvm.nvvm.barrier0()
; -- becomes
define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
0:
  %v = alloca [4 x float], align 4
  %a = getelementptr float, ptr %v, i64 %i
  %x = load float, ptr %a, align 4
  store float %x, ptr %p, align 4
  call void @llvm.nvvm.barrier0()
  ret void
}

declare void @llvm.nvvm.barrier0()
