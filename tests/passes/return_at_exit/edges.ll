; SPDX-License-Identifier: Apache-2.0
; Code behind the call goes, with the values that it brings to other blocks.

declare void @llvm.nvvm.exit()

define ptx_kernel void @f(ptr %p, i1 %c) {
entry:
  br i1 %c, label %leave, label %stay

leave:
  call void @llvm.nvvm.exit()
  %v = load i32, ptr %p, align 4
  br label %stay

stay:
  %w = phi i32 [ 0, %entry ], [ %v, %leave ]
  store i32 %w, ptr %p, align 4
  ret void
}

; -- becomes
declare void @llvm.nvvm.exit()

define ptx_kernel void @f(ptr %p, i1 %c) {
entry:
  br i1 %c, label %leave, label %stay

leave:
  ret void

stay:
  %w = phi i32 [ 0, %entry ]
  store i32 %w, ptr %p, align 4
  ret void
}
