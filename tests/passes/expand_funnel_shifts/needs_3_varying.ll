; SPDX-License-Identifier: Apache-2.0
; All lanes shift by 7.

define i32 @f(i32 %a, i32 %b) {
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 7)
  ret i32 %r
}
declare i32 @llvm.fshr.i32(i32, i32, i32)

; -- unchanged
