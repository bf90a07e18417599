; SPDX-License-Identifier: Apache-2.0
; Nothing orders what work-items do.

define void @f(ptr noalias %out, ptr noalias %in) {
  %x = load i32, ptr %in, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %in, i64 16, i1 false)
  %y = call i32 @llvm.umin.i32(i32 %x, i32 7)
  store i32 %y, ptr %out, align 4
  call void @g(ptr %out)
  ret void
}
define void @g(ptr noalias %out) {
  store i32 1, ptr %out, align 4
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @llvm.umin.i32(i32, i32)

; -- unchanged
