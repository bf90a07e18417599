; Both arms are hoisted, and the phis become selects.
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
  %h = shl i32 %t, 3
  br label %join
join:
  %w = phi i32 [ %g, %arm ], [ %h, %else ]
  store i32 %w, ptr %out, align 4
  ret void
}
; -- becomes
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @f(ptr %out, ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  %g = add i32 %t, 5
  %h = shl i32 %t, 3
  %0 = select i1 %odd, i32 %g, i32 %h
  br label %join

join:
  store i32 %0, ptr %out, align 4
  ret void
}
