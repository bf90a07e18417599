; Most warps execute one arm alone, and the short one would be added to the long one.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @f(ptr %out, ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  br i1 %odd, label %arm, label %else
arm:
  %g = add i32 %t, 5
  br label %join
else:
  store volatile i32 0, ptr %a, align 4
  store volatile i32 1, ptr %a, align 4
  store volatile i32 2, ptr %a, align 4
  store volatile i32 3, ptr %a, align 4
  store volatile i32 4, ptr %a, align 4
  store volatile i32 5, ptr %a, align 4
  br label %join
join:
  %w = phi i32 [ %g, %arm ], [ 1, %else ]
  store i32 %w, ptr %out, align 4
  ret void
}
; -- unchanged
