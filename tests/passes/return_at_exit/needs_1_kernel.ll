; SPDX-License-Identifier: Apache-2.0
; A function's return would go on in its caller.

declare void @llvm.nvvm.exit()

define void @f() {
  call void @llvm.nvvm.exit()
  unreachable
}

; -- unchanged
