; SPDX-License-Identifier: Apache-2.0
; A trap ends all threads.

declare void @llvm.trap()

define ptx_kernel void @f() {
  call void @llvm.trap()
  unreachable
}

; -- unchanged
