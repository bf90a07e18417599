; SPDX-License-Identifier: Apache-2.0
; On a host without the instruction nothing is fused but what the source says by name.
; options: fused=False

define float @sum(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  ret float %s
}

define float @fmuladd(float %a, float %b, float %c) {
  %r = call nsz float @llvm.fmuladd.f32(float %a, float %b, float %c)
  ret float %r
}

define float @fma(float %a, float %b, float %c) {
  %r = call contract float @llvm.fma.f32(float %a, float %b, float %c)
  ret float %r
}

declare float @llvm.fmuladd.f32(float, float, float)

declare float @llvm.fma.f32(float, float, float)

; -- becomes
define float @sum(float %a, float %b, float %c) {
0:
  %p = fmul float %a, %b
  %s = fadd float %p, %c
  ret float %s
}

define float @fmuladd(float %a, float %b, float %c) {
0:
  %1 = fmul nsz float %a, %b
  %r = fadd nsz float %1, %c
  ret float %r
}

define float @fma(float %a, float %b, float %c) {
0:
  %r = call float @llvm.fma.f32(float %a, float %b, float %c)
  ret float %r
}

declare float @llvm.fmuladd.f32(float, float, float)

declare float @llvm.fma.f32(float, float, float)
