; SPDX-License-Identifier: Apache-2.0
; Elements of a byte.

define i8 @f(ptr %p, ptr %q) {
  %v = load <16 x i8>, ptr %p, align 4
  store <16 x i8> %v, ptr %q, align 4
  %r = extractelement <16 x i8> %v, i64 3
  ret i8 %r
}

; -- unchanged
