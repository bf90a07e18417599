; SPDX-License-Identifier: Apache-2.0
; A product that several sums use is computed in each, and nowhere else.

define float @f(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  %n = fneg contract float %p
  %d = fsub contract float %n, %s
  ret float %d
}

; -- becomes
define float @f(float %a, float %b, float %c) {
0:
  %s = call float @llvm.fma.f32(float %a, float %b, float %c)
  %1 = fneg float %a
  %2 = fneg float %s
  %d = call float @llvm.fma.f32(float %1, float %b, float %2)
  ret float %d
}

declare float @llvm.fma.f32(float, float, float)
