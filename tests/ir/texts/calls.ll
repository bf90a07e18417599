; Run: python -m pytest tests/ir/test_round_trip.py
declare i32 @printf(ptr, ...)

declare void @sink(...)

declare float @llvm.fma.f32(float, float, float)

declare void @llvm.memcpy.p0.p1.i64(ptr noalias writeonly captures(none), ptr addrspace(1) noalias readonly captures(none), i64, i1 immarg)

declare i64 @llvm.read_register.i64(metadata)

declare void @llvm.experimental.noalias.scope.decl(metadata)

declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)

define float @calls(ptr %f, ptr addrspace(1) %g, ptr %p, float %x) {
  %1 = call i32 (ptr, ...) @printf(ptr %p, i32 1, double 2.000000e+00)
  call void (...) @sink()
  %2 = tail call contract float @llvm.fma.f32(float %x, float %x, float 1.000000e+00)
  %3 = notail call nnan float %f(float %x, ptr %p)
  call addrspace(1) void %g(i32 1)
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %p, ptr addrspace(1) align 4 %g, i64 16, i1 false)
  %4 = call i64 @llvm.read_register.i64(metadata !0)
  call void @llvm.experimental.noalias.scope.decl(metadata !1)
  %5 = call float @llvm.experimental.constrained.fadd.f32(float %x, float %2, metadata !"round.tonearest", metadata !"fpexcept.strict") #0
  %6 = call fastcc zeroext i1 @answers(i1 zeroext true)
  %7 = musttail call float @calls(ptr %f, ptr addrspace(1) %g, ptr %p, float %x)
  ret float %7
}

define fastcc zeroext i1 @answers(i1 zeroext %x) {
  ret i1 %x
}

attributes #0 = { strictfp }

!0 = !{!"sp"}
!1 = !{!2}
!2 = distinct !{!2, !3}
!3 = distinct !{!3}
