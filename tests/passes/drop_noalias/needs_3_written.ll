; SPDX-License-Identifier: Apache-2.0
; Only read: by addresses, by a variable that keeps it, by a copy, by a function.

define void @f(ptr noalias %in, ptr %out, i64 %i) {
  %kept = alloca ptr, align 8
  store ptr %in, ptr %kept, align 8
  call void @llvm.nvvm.barrier0()
  %again = load ptr, ptr %kept, align 8
  %p = getelementptr i32, ptr %again, i64 %i
  call void @g(ptr %p, ptr %out)
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %p, i64 16, i1 false)
  %c = icmp eq ptr %p, %out
  ret void
}
define void @g(ptr noalias %from, ptr %to) {
  %x = load i32, ptr %from, align 4
  store i32 %x, ptr %to, align 4
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.nvvm.barrier0()

; -- unchanged
