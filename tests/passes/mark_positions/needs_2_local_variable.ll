; Only the mark's own function is declared.
define float @f(float %v) !dbg !1 {
  %a = alloca float, align 4
  store float %v, ptr %a, align 4, !dbg !2
  %x = load float, ptr %a, align 4, !dbg !2
  call void @llvm.lifetime.end.p0(ptr %a), !dbg !2
  ret float %x
}
declare void @llvm.lifetime.end.p0(ptr)
!lanewise.debug = !{}
!0 = !DIFile(filename: "a.cu", directory: "")
!1 = distinct !DISubprogram(name: "f", file: !0)
!2 = !DILocation(line: 7, scope: !1)
; -- becomes
define float @f(float %v) !dbg !1 {
0:
  %a = alloca float, align 4
  store float %v, ptr %a, align 4, !dbg !2
  %x = load float, ptr %a, align 4, !dbg !2
  call void @llvm.lifetime.end.p0(ptr %a), !dbg !2
  ret float %x
}

declare void @llvm.lifetime.end.p0(ptr)

declare void @__lw_position(ptr, ptr, i32) nounwind

!lanewise.debug = !{}
!0 = !DIFile(filename: "a.cu", directory: "")
!1 = distinct !DISubprogram(name: "f", file: !0)
!2 = !DILocation(line: 7, scope: !1)
