define float @f(ptr %p) !dbg !1 {
  %x = load float, ptr %p, align 4, !dbg !2
  ret float %x
}
!0 = !DIFile(filename: "a.cu", directory: "")
!1 = distinct !DISubprogram(name: "f", file: !0)
!2 = !DILocation(line: 7, scope: !1)
; -- unchanged
