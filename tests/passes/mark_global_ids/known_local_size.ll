; SPDX-License-Identifier: Apache-2.0
; A known local size: a product or a shift by it, or by less; operands in either order; a sum without carries.
; options: block=(64, 1, 1)

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define void @f(ptr %p) {
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %item = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = mul i32 64, %group
  %b = add i32 %item, %a
  store i32 %b, ptr %p, align 4
  %c = shl i32 %group, 5
  %d = add i32 %c, %item
  store i32 %d, ptr %p, align 4
  %e = shl i32 %group, 6
  %f = or disjoint i32 %e, %item
  store i32 %f, ptr %p, align 4
  ret void
}

; -- becomes
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define void @f(ptr %p) {
0:
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %item = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = mul nuw nsw i32 64, %group
  %b = add nuw nsw i32 %item, %a
  store i32 %b, ptr %p, align 4
  %c = shl nuw nsw i32 %group, 5
  %d = add nuw nsw i32 %c, %item
  store i32 %d, ptr %p, align 4
  %e = shl nuw nsw i32 %group, 6
  %f = or disjoint i32 %e, %item
  store i32 %f, ptr %p, align 4
  ret void
}
