; SPDX-License-Identifier: Apache-2.0
; Through local variables, across blocks and from one to another; the loads and stores go.

define void @k(ptr %out, float %a, float %b, i1 %q) {
entry:
  %t = alloca float, align 4
  %u = alloca float, align 4
  call void @llvm.lifetime.start.p0(ptr %t)
    #dbg_declare(ptr %t, !0, !DIExpression(), !1)
  %p = fmul contract float %a, %b
    #dbg_value(float %p, !0, !DIExpression(), !1)
  store float %p, ptr %t, align 4
  %0 = load float, ptr %t, align 4
  %n = fneg contract float %0
  store float %n, ptr %u, align 4
  br i1 %q, label %then, label %join

then:
  %1 = load float, ptr %t, align 4
  %s = fadd contract float %1, %a
  store float %s, ptr %out, align 4
  br label %join

join:
  %2 = load float, ptr %u, align 4
  %3 = load float, ptr %out, align 4
  %d = fadd contract float %3, %2
  store float %d, ptr %out, align 4
  call void @llvm.lifetime.end.p0(ptr %t)
  ret void
}

declare void @llvm.lifetime.start.p0(ptr)

declare void @llvm.lifetime.end.p0(ptr)

!llvm.dbg.cu = !{!4}
!llvm.module.flags = !{!7}
!0 = !DILocalVariable(name: "t", scope: !2, type: !3)
!1 = !DILocation(line: 1, scope: !2)
!2 = distinct !DISubprogram(name: "k", unit: !4, file: !5, type: !6, spFlags: DISPFlagDefinition)
!3 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!4 = distinct !DICompileUnit(language: DW_LANG_C, file: !5, emissionKind: FullDebug)
!5 = !DIFile(filename: "k.cu", directory: "/")
!6 = !DISubroutineType(types: !{null})
!7 = !{i32 2, !"Debug Info Version", i32 3}

; -- becomes
define void @k(ptr %out, float %a, float %b, i1 %q) {
entry:
  %t = alloca float, align 4
  %u = alloca float, align 4
  call void @llvm.lifetime.start.p0(ptr %t)
    #dbg_declare(ptr %t, !0, !DIExpression(), !1)
    #dbg_value(float poison, !0, !DIExpression(), !1)
  br i1 %q, label %then, label %join

then:
  %s = call float @llvm.fma.f32(float %a, float %b, float %a)
  store float %s, ptr %out, align 4
  br label %join

join:
  %0 = load float, ptr %out, align 4
  %1 = fneg float %a
  %d = call float @llvm.fma.f32(float %1, float %b, float %0)
  store float %d, ptr %out, align 4
  call void @llvm.lifetime.end.p0(ptr %t)
  ret void
}

declare void @llvm.lifetime.start.p0(ptr)

declare void @llvm.lifetime.end.p0(ptr)

declare float @llvm.fma.f32(float, float, float)

!llvm.dbg.cu = !{!4}
!llvm.module.flags = !{!7}
!0 = !DILocalVariable(name: "t", scope: !2, type: !3)
!1 = !DILocation(line: 1, scope: !2)
!2 = distinct !DISubprogram(name: "k", unit: !4, file: !5, type: !6, spFlags: DISPFlagDefinition)
!3 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!4 = distinct !DICompileUnit(language: DW_LANG_C, file: !5, emissionKind: FullDebug)
!5 = !DIFile(filename: "k.cu", directory: "/")
!6 = !DISubroutineType(types: !{null})
!7 = !{i32 2, !"Debug Info Version", i32 3}
