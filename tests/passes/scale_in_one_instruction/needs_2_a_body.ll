; SPDX-License-Identifier: Apache-2.0
; It is only declared.

declare float @__lw_load_exponentf(float, i32)
define float @f(float %x, i32 %n) {
  %r = call float @__lw_load_exponentf(float %x, i32 %n)
  ret float %r
}

; -- unchanged
