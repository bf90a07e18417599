; SPDX-License-Identifier: Apache-2.0
; A word, and one bit that has a byte of its own.

define i1 @f(ptr %p, ptr %q) {
  %a = load i32, ptr %p, align 4
  %b = load i1, ptr %q, align 1
  store i32 %a, ptr %q, align 4
  ret i1 %b
}

; -- unchanged
