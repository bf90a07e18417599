; SPDX-License-Identifier: Apache-2.0
; Half, double, and vectors.

define half @half(half %a, half %b, half %c) {
  %p = fmul contract half %a, %b
  %s = fsub contract half %p, %c
  ret half %s
}

define double @double(double %a, double %b, double %c) {
  %p = fmul contract double %a, %b
  %s = fadd contract double %p, %c
  ret double %s
}

define <4 x float> @vector(<4 x float> %a, <4 x float> %b, <4 x float> %c) {
  %p = fmul contract <4 x float> %a, %b
  %s = fsub contract <4 x float> %c, %p
  ret <4 x float> %s
}

; -- becomes
define half @half(half %a, half %b, half %c) {
0:
  %1 = fneg half %c
  %s = call half @llvm.fma.f16(half %a, half %b, half %1)
  ret half %s
}

define double @double(double %a, double %b, double %c) {
0:
  %s = call double @llvm.fma.f64(double %a, double %b, double %c)
  ret double %s
}

define <4 x float> @vector(<4 x float> %a, <4 x float> %b, <4 x float> %c) {
0:
  %1 = fneg <4 x float> %a
  %s = call <4 x float> @llvm.fma.v4f32(<4 x float> %1, <4 x float> %b, <4 x float> %c)
  ret <4 x float> %s
}

declare half @llvm.fma.f16(half, half, half)

declare double @llvm.fma.f64(double, double, double)

declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
