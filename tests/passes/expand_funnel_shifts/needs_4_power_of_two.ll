; SPDX-License-Identifier: Apache-2.0
; An amount modulo 24 is no mask, and one bit has no amount but 0.

define i24 @f(i24 %a, i24 %b, i24 %n) {
  %r = call i24 @llvm.fshl.i24(i24 %a, i24 %b, i24 %n)
  ret i24 %r
}
define i1 @g(i1 %a, i1 %b, i1 %n) {
  %r = call i1 @llvm.fshl.i1(i1 %a, i1 %b, i1 %n)
  ret i1 %r
}
declare i24 @llvm.fshl.i24(i24, i24, i24)
declare i1 @llvm.fshl.i1(i1, i1, i1)

; -- unchanged
