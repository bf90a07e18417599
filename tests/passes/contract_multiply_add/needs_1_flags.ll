; SPDX-License-Identifier: Apache-2.0
; One of product, negation and sum lacks the flag.

define float @product(float %a, float %b, float %c) {
  %p = fmul float %a, %b
  %s = fadd contract float %p, %c
  ret float %s
}

define float @negation(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %n = fneg float %p
  %s = fadd contract float %n, %c
  ret float %s
}

define float @sum(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd nnan ninf nsz reassoc float %p, %c
  ret float %s
}

; -- becomes
define float @product(float %a, float %b, float %c) {
0:
  %p = fmul float %a, %b
  %s = fadd float %p, %c
  ret float %s
}

define float @negation(float %a, float %b, float %c) {
0:
  %p = fmul float %a, %b
  %n = fneg float %p
  %s = fadd float %n, %c
  ret float %s
}

define float @sum(float %a, float %b, float %c) {
0:
  %p = fmul float %a, %b
  %s = fadd nnan ninf nsz reassoc float %p, %c
  ret float %s
}
