; SPDX-License-Identifier: Apache-2.0
; The grid may have more than 2^31 - 1 work-items, so the unsigned sum may wrap.
; options: small_grid=False

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define i32 @f() {
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %item = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %group, %size
  %i = add i32 %m, %item
  ret i32 %i
}

; -- unchanged
