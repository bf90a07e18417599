; SPDX-License-Identifier: Apache-2.0
; Not aligned to words: bytes. Two elements of one byte share its load.

define i4 @f(ptr addrspace(1) %p) {
  %v = load <12 x i4>, ptr addrspace(1) %p, align 2
  %a = extractelement <12 x i4> %v, i64 6
  %b = extractelement <12 x i4> %v, i64 7
  %c = extractelement <12 x i4> %v, i64 0
  %d = add i4 %a, %b
  %r = add i4 %c, %d
  ret i4 %r
}

; -- becomes
define i4 @f(ptr addrspace(1) %p) {
0:
  %1 = getelementptr i8, ptr addrspace(1) %p, i64 3
  %2 = load i8, ptr addrspace(1) %1, align 1
  %a = trunc i8 %2 to i4
  %3 = lshr i8 %2, 4
  %b = trunc i8 %3 to i4
  %4 = load i8, ptr addrspace(1) %p, align 2
  %c = trunc i8 %4 to i4
  %d = add i4 %a, %b
  %r = add i4 %c, %d
  ret i4 %r
}
