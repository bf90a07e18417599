; SPDX-License-Identifier: Apache-2.0
; Elements of known numbers, and one whose number is frozen already.

define <4 x float> @f(<4 x float> %v, i32 %n) {
  %a = extractelement <4 x float> %v, i32 1
  %i = freeze i32 %n
  %b = insertelement <4 x float> %v, float %a, i32 %i
  %r = insertelement <4 x float> %b, float %a, i64 2
  ret <4 x float> %r
}

; -- unchanged
