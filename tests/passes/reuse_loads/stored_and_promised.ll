; What a store stored is loaded, and what two loads promise is promised of neither if one of them didn't.
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
  %p = getelementptr i32, ptr %in, i64 %first
  store i32 7, ptr %p, align 4
  %a = load i32, ptr %p, align 4
  %b = load i32, ptr %out, align 4, !range !0
  %c.2 = load i32, ptr %out, align 4
  %sum = add i32 %a, %b
  %all = add i32 %sum, %c.2
  store i32 %all, ptr %out, align 4
  ret void
}
!0 = !{i32 0, i32 5}
; -- becomes
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
0:
  %p = getelementptr i32, ptr %in, i64 %first
  store i32 7, ptr %p, align 4
  %b = load i32, ptr %out, align 4
  %sum = add i32 7, %b
  %all = add i32 %sum, %b
  store i32 %all, ptr %out, align 4
  ret void
}

!0 = !{i32 0, i32 5}
