; SPDX-License-Identifier: Apache-2.0
; An element that is not known before the program runs, and one of three bits.

define i1 @f(ptr %p, i64 %n) {
  %v = load <32 x i1>, ptr %p, align 4
  %r = extractelement <32 x i1> %v, i64 %n
  ret i1 %r
}
define i3 @g(ptr %p) {
  %v = load <8 x i3>, ptr %p, align 4
  %r = extractelement <8 x i3> %v, i64 2
  ret i3 %r
}

; -- becomes
define i1 @f(ptr %p, i64 %n) {
0:
  %1 = load i32, ptr %p, align 4
  %v = bitcast i32 %1 to <32 x i1>
  %r = extractelement <32 x i1> %v, i64 %n
  ret i1 %r
}

define i3 @g(ptr %p) {
0:
  %1 = load i24, ptr %p, align 4
  %v = bitcast i24 %1 to <8 x i3>
  %r = extractelement <8 x i3> %v, i64 2
  ret i3 %r
}
