; The second load has no mark, and neither has the one without a line.
define void @f(ptr %p) !dbg !1 {
  %x = load float, ptr %p, align 4, !dbg !2
  %y = load float, ptr %p, align 4, !dbg !2
  %z = load float, ptr %p, align 4
  ret void
}
!lanewise.debug = !{}
!0 = !DIFile(filename: "a.cu", directory: "")
!1 = distinct !DISubprogram(name: "f", file: !0)
!2 = !DILocation(line: 7, scope: !1)
; -- becomes
define void @f(ptr %p) !dbg !1 {
0:
  call void @__lw_position(ptr @.lw.position.0, ptr @.lw.position.1, i32 7), !dbg !2
  %x = load float, ptr %p, align 4, !dbg !2
  %y = load float, ptr %p, align 4, !dbg !2
  %z = load float, ptr %p, align 4
  ret void
}

declare void @__lw_position(ptr, ptr, i32) nounwind
@.lw.position.0 = private unnamed_addr constant [5 x i8] c"a.cu\00", align 1
@.lw.position.1 = private unnamed_addr constant [2 x i8] c"f\00", align 1

!lanewise.debug = !{}
!0 = !DIFile(filename: "a.cu", directory: "")
!1 = distinct !DISubprogram(name: "f", file: !0)
!2 = !DILocation(line: 7, scope: !1)
