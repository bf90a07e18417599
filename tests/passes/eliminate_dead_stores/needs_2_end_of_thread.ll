; A thread that ends before the second store leaves what the first one stored.
define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
entry:
  store float 0.0, ptr %p, align 4
  br i1 %c, label %end, label %next
end:
  call void @llvm.nvvm.exit()
  unreachable
next:
  store float 1.0, ptr %p, align 4
  ret void
}
declare void @llvm.nvvm.exit()
; -- unchanged
