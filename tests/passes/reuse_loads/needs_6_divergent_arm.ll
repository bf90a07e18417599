; Threads of a warp go both ways: the load in the second arm would be executed beside that in the first.
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %t, 16
  br i1 %low, label %a, label %b
a:
  %x = load float, ptr %in, align 4
  store float %x, ptr %out, align 4
  br label %end
b:
  store float 1.0, ptr %out, align 4
  br label %end
end:
  %y = load float, ptr %in, align 4
  store float %y, ptr %out, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; -- unchanged
