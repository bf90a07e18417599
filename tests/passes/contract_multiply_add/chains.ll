; SPDX-License-Identifier: Apache-2.0
; Sums of products, one after the other: a factor, and what is added, may be fused themselves.

define float @polynomial(float %x) {
  %0 = fmul contract float %x, 3.000000e+00
  %1 = fadd contract float %0, 2.000000e+00
  %2 = fmul contract float %x, %1
  %3 = fadd contract float %2, 1.000000e+00
  ret float %3
}

define float @dot(float %a, float %b, float %c, float %d, float %e, float %f) {
  %0 = fmul contract float %a, %b
  %1 = fmul contract float %c, %d
  %2 = fadd contract float %0, %1
  %3 = fmul contract float %e, %f
  %4 = fadd contract float %2, %3
  ret float %4
}

; -- becomes
define float @polynomial(float %x) {
0:
  %1 = call float @llvm.fma.f32(float %x, float 3.000000e+00, float 2.000000e+00)
  %2 = call float @llvm.fma.f32(float %x, float %1, float 1.000000e+00)
  ret float %2
}

define float @dot(float %a, float %b, float %c, float %d, float %e, float %f) {
0:
  %1 = fmul float %c, %d
  %2 = call float @llvm.fma.f32(float %a, float %b, float %1)
  %3 = call float @llvm.fma.f32(float %e, float %f, float %2)
  ret float %3
}

declare float @llvm.fma.f32(float, float, float)
