; SPDX-License-Identifier: Apache-2.0
; What a call makes of a pointer may be the pointer.

define void @f(ptr noalias %a, ptr noalias %b, i1 %c) {
  call void @llvm.nvvm.barrier0()
  %p = call ptr @llvm.ptrmask.p0.i64(ptr %a, i64 -4)
  store i32 1, ptr %p, align 4
  %q = call ptr @llvm.launder.invariant.group.p0(ptr %b)
  store i32 1, ptr %q, align 4
  ret void
}
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare void @llvm.nvvm.barrier0()

; -- becomes
define void @f(ptr %a, ptr %b, i1 %c) {
0:
  call void @llvm.nvvm.barrier0()
  %p = call ptr @llvm.ptrmask.p0.i64(ptr %a, i64 -4)
  store i32 1, ptr %p, align 4
  %q = call ptr @llvm.launder.invariant.group.p0(ptr %b)
  store i32 1, ptr %q, align 4
  ret void
}

declare ptr @llvm.ptrmask.p0.i64(ptr, i64)

declare ptr @llvm.launder.invariant.group.p0(ptr)

declare void @llvm.nvvm.barrier0()
