; SPDX-License-Identifier: Apache-2.0
; In CUDA C++, a block has at most 1,024 threads.

define i32 @f() {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %id
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; -- unchanged
