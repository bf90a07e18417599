; SPDX-License-Identifier: Apache-2.0
; A parameter without the promise.

define void @f(ptr nonnull %out, i32 %x) {
  store i32 %x, ptr %out, align 4
  call void @llvm.nvvm.barrier0()
  ret void
}
declare void @llvm.nvvm.barrier0()

; -- unchanged
