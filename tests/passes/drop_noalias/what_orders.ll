; SPDX-License-Identifier: Apache-2.0
; Accesses of work-items are ordered by atomic and volatile ones, and by what is called.

define void @atomic(ptr noalias %a, ptr %flag) {
  store i32 1, ptr %a, align 4
  %x = atomicrmw add ptr %flag, i32 1 acq_rel, align 4
  ret void
}
define void @volatile(ptr noalias %a, ptr %flag) {
  store i32 1, ptr %a, align 4
  %x = load volatile i32, ptr %flag, align 4
  ret void
}
define void @volatile_copy(ptr noalias %a, ptr %flag) {
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %flag, i64 16, i1 true)
  ret void
}
define void @unknown(ptr noalias %a) {
  store i32 1, ptr %a, align 4
  call void @elsewhere()
  ret void
}
define void @caller(ptr noalias %a) {
  store i32 1, ptr %a, align 4
  call void @callee()
  ret void
}
define void @callee() {
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @elsewhere()
declare void @llvm.nvvm.bar.warp.sync(i32)

; -- becomes
define void @atomic(ptr %a, ptr %flag) {
0:
  store i32 1, ptr %a, align 4
  %x = atomicrmw add ptr %flag, i32 1 acq_rel, align 4
  ret void
}

define void @volatile(ptr %a, ptr %flag) {
0:
  store i32 1, ptr %a, align 4
  %x = load volatile i32, ptr %flag, align 4
  ret void
}

define void @volatile_copy(ptr %a, ptr %flag) {
0:
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %flag, i64 16, i1 true)
  ret void
}

define void @unknown(ptr %a) {
0:
  store i32 1, ptr %a, align 4
  call void @elsewhere()
  ret void
}

define void @caller(ptr %a) {
0:
  store i32 1, ptr %a, align 4
  call void @callee()
  ret void
}

define void @callee() {
0:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

declare void @elsewhere()

declare void @llvm.nvvm.bar.warp.sync(i32)
