; SPDX-License-Identifier: Apache-2.0
; One index of two elements is frozen for each.

define <4 x float> @f(<4 x float> %v, i32 %n) {
  %i = urem i32 %n, 4
  %a = extractelement <4 x float> %v, i32 %i
  %r = insertelement <4 x float> %v, float %a, i32 %i
  ret <4 x float> %r
}

; -- becomes
define <4 x float> @f(<4 x float> %v, i32 %n) {
0:
  %i = urem i32 %n, 4
  %1 = freeze i32 %i
  %a = extractelement <4 x float> %v, i32 %1
  %2 = freeze i32 %i
  %r = insertelement <4 x float> %v, float %a, i32 %2
  ret <4 x float> %r
}
