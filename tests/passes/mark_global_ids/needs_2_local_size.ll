; SPDX-License-Identifier: Apache-2.0
; The factor is more than the local size, or is that of another axis, or unknown: the product may be any number.
; options: block=(64, 1, 1)

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define void @f(ptr %p, i32 %n) {
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %item = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = mul i32 %group, 65
  %b = add i32 %a, %item
  store i32 %b, ptr %p, align 4
  %c = shl i32 %group, 7
  %d = add i32 %c, %item
  store i32 %d, ptr %p, align 4
  %e = mul i32 %group, %size
  %f = add i32 %e, %item
  store i32 %f, ptr %p, align 4
  %g = mul i32 %group, %n
  %h = add i32 %g, %item
  store i32 %h, ptr %p, align 4
  ret void
}

; -- unchanged
