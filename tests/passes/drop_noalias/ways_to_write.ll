; SPDX-License-Identifier: Apache-2.0
; By addresses, by a variable that keeps it, by a copy, by a function, or nobody knows.

@kept = internal global ptr null
define void @f(ptr noalias %a, ptr noalias %b, ptr noalias %c, ptr noalias %d, ptr noalias %e, ptr noalias %in, i1 %k) {
  %variable = alloca ptr, align 8
  store ptr %b, ptr %variable, align 8
  fence acq_rel
  %again = load ptr, ptr %variable, align 8
  %p = getelementptr i32, ptr %a, i64 3
  %q = select i1 %k, ptr %p, ptr %in
  store i32 1, ptr %p, align 4
  store i32 1, ptr %again, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %c, ptr %in, i64 16, i1 false)
  call void @g(ptr %in, ptr %d)
  store ptr %e, ptr @kept, align 8
  ret void
}
define void @g(ptr noalias %from, ptr noalias %to) {
  %x = load i32, ptr %from, align 4
  store i32 %x, ptr %to, align 4
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; -- becomes
@kept = internal global ptr null

define void @f(ptr %a, ptr %b, ptr %c, ptr %d, ptr %e, ptr noalias %in, i1 %k) {
0:
  %variable = alloca ptr, align 8
  store ptr %b, ptr %variable, align 8
  fence acq_rel
  %again = load ptr, ptr %variable, align 8
  %p = getelementptr i32, ptr %a, i64 3
  %q = select i1 %k, ptr %p, ptr %in
  store i32 1, ptr %p, align 4
  store i32 1, ptr %again, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %c, ptr %in, i64 16, i1 false)
  call void @g(ptr %in, ptr %d)
  store ptr %e, ptr @kept, align 8
  ret void
}

define void @g(ptr noalias %from, ptr noalias %to) {
0:
  %x = load i32, ptr %from, align 4
  store i32 %x, ptr %to, align 4
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
