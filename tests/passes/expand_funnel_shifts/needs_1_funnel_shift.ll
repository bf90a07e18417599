; SPDX-License-Identifier: Apache-2.0
; Another operation of three words.

define i32 @f(i32 %a, i32 %b, i32 %n) {
  %r = call i32 @llvm.umul.fix.i32(i32 %a, i32 %b, i32 5)
  %s = call i32 @llvm.umax.i32(i32 %r, i32 %n)
  ret i32 %s
}
declare i32 @llvm.umul.fix.i32(i32, i32, i32 immarg)
declare i32 @llvm.umax.i32(i32, i32)

; -- unchanged
