; SPDX-License-Identifier: Apache-2.0
; A program has a function of its own.

define float @ldexpf(float %x, i32 %n) {
  %power = sitofp i32 %n to float
  %r = fmul float %x, %power
  ret float %r
}

; -- unchanged
