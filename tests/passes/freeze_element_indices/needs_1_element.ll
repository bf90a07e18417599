; SPDX-License-Identifier: Apache-2.0
; An element of an array in memory.

define float @f(ptr %p, i32 %n) {
  %i = and i32 %n, 3
  %q = getelementptr [4 x float], ptr %p, i32 0, i32 %i
  %r = load float, ptr %q
  ret float %r
}

; -- unchanged
