; An argument that must not be poison.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fabs.f32(float)
define ptx_kernel void @f(ptr %out, ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  br i1 %odd, label %arm, label %join
arm:
  %y = call float @llvm.fabs.f32(float noundef 0.0)
  %v = fadd float %y, 1.0
  store float %v, ptr %a, align 4
  br label %join
join:
  %w = phi float [ %v, %arm ], [ 0.0, %entry ]
  store float %w, ptr %out, align 4
  ret void
}
; -- unchanged
