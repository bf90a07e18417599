; SPDX-License-Identifier: Apache-2.0
; One access stays one.

define i1 @f(ptr %p) {
  %v = load volatile <64 x i1>, ptr %p, align 8
  %r = extractelement <64 x i1> %v, i64 40
  ret i1 %r
}

; -- becomes
define i1 @f(ptr %p) {
0:
  %1 = load volatile i64, ptr %p, align 8
  %v = bitcast i64 %1 to <64 x i1>
  %r = extractelement <64 x i1> %v, i64 40
  ret i1 %r
}
