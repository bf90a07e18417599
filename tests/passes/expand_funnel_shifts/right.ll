; SPDX-License-Identifier: Apache-2.0
; To the right, in 64 bits; and a constant beside a word.

define i64 @f(i64 %a, i64 %b, i64 %n) {
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 %n)
  %s = call i64 @llvm.fshr.i64(i64 0, i64 %r, i64 %n)
  ret i64 %s
}
declare i64 @llvm.fshr.i64(i64, i64, i64)

; -- becomes
define i64 @f(i64 %a, i64 %b, i64 %n) {
0:
  %1 = and i64 %n, 63
  %2 = xor i64 %1, 63
  %3 = shl i64 %a, 1
  %4 = shl i64 %3, %2
  %5 = lshr i64 %b, %1
  %r = or i64 %4, %5
  %6 = and i64 %n, 63
  %7 = xor i64 %6, 63
  %8 = shl i64 0, 1
  %9 = shl i64 %8, %7
  %10 = lshr i64 %r, %6
  %s = or i64 %9, %10
  ret i64 %s
}

declare i64 @llvm.fshr.i64(i64, i64, i64)
