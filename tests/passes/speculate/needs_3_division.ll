; A divisor may be 0 where the branch isn't taken.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @f(ptr %out, ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  br i1 %odd, label %arm, label %join
arm:
  %q = sdiv i32 %n, %t
  %v = sitofp i32 %q to float
  br label %join
join:
  %w = phi float [ %v, %arm ], [ 0.0, %entry ]
  store float %w, ptr %out, align 4
  ret void
}
; -- unchanged
