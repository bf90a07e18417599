; SPDX-License-Identifier: Apache-2.0
; One word on both sides.

define i32 @f(i32 %a, i32 %n) {
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 %n)
  ret i32 %r
}
declare i32 @llvm.fshl.i32(i32, i32, i32)

; -- unchanged
