; SPDX-License-Identifier: Apache-2.0
; Vectors of whole bytes, and of less than one.

define void @f(ptr %p, ptr %q, <16 x i1> %a, <5 x i1> %b) {
  store <16 x i1> %a, ptr %p, align 2
  store volatile <5 x i1> %b, ptr %q, align 1
  ret void
}

; -- becomes
define void @f(ptr %p, ptr %q, <16 x i1> %a, <5 x i1> %b) {
0:
  %1 = bitcast <16 x i1> %a to i16
  store i16 %1, ptr %p, align 2
  %2 = bitcast <5 x i1> %b to i5
  %3 = zext i5 %2 to i8
  store volatile i8 %3, ptr %q, align 1
  ret void
}
