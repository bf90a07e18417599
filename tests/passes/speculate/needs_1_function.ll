; Who calls a function isn't known.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define void @f(ptr %out, ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  br i1 %odd, label %arm, label %join
arm:
  %i = zext i32 %t to i64
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %v = load float, ptr %p, align 4
  br label %join
join:
  %w = phi float [ %v, %arm ], [ 0.0, %entry ]
  store float %w, ptr %out, align 4
  ret void
}
; -- unchanged
