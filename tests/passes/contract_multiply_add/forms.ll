; SPDX-License-Identifier: Apache-2.0
; All forms of a sum with one product, with signs moved onto a factor and the other operand.

define float @product_plus(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  ret float %s
}

define float @plus_product(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %c, %p
  ret float %s
}

define float @product_minus(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fsub contract float %p, %c
  ret float %s
}

define float @minus_product(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fsub contract float %c, %p
  ret float %s
}

define float @negated_product_plus(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %n = fneg contract float %p
  %s = fadd contract float %n, %c
  ret float %s
}

define float @negated_product_minus(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %n = fneg contract float %p
  %s = fsub contract float %n, %c
  ret float %s
}

define float @minus_negated_product(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %n = fneg contract float %p
  %s = fsub contract float %c, %n
  ret float %s
}

define float @negated_sum(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  %n = fneg contract float %s
  ret float %n
}

; -- becomes
define float @product_plus(float %a, float %b, float %c) {
0:
  %s = call float @llvm.fma.f32(float %a, float %b, float %c)
  ret float %s
}

define float @plus_product(float %a, float %b, float %c) {
0:
  %s = call float @llvm.fma.f32(float %a, float %b, float %c)
  ret float %s
}

define float @product_minus(float %a, float %b, float %c) {
0:
  %1 = fneg float %c
  %s = call float @llvm.fma.f32(float %a, float %b, float %1)
  ret float %s
}

define float @minus_product(float %a, float %b, float %c) {
0:
  %1 = fneg float %a
  %s = call float @llvm.fma.f32(float %1, float %b, float %c)
  ret float %s
}

define float @negated_product_plus(float %a, float %b, float %c) {
0:
  %1 = fneg float %a
  %s = call float @llvm.fma.f32(float %1, float %b, float %c)
  ret float %s
}

define float @negated_product_minus(float %a, float %b, float %c) {
0:
  %1 = fneg float %a
  %2 = fneg float %c
  %s = call float @llvm.fma.f32(float %1, float %b, float %2)
  ret float %s
}

define float @minus_negated_product(float %a, float %b, float %c) {
0:
  %s = call float @llvm.fma.f32(float %a, float %b, float %c)
  ret float %s
}

define float @negated_sum(float %a, float %b, float %c) {
0:
  %s = call float @llvm.fma.f32(float %a, float %b, float %c)
  %n = fneg float %s
  ret float %n
}

declare float @llvm.fma.f32(float, float, float)
