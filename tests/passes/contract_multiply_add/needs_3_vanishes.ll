; SPDX-License-Identifier: Apache-2.0
; The product is needed beside the sum: returned, a factor, stored where others see it, passed on.

define float @returned(float %a, float %b, ptr %out) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %a
  store float %s, ptr %out, align 4
  ret float %p
}

define float @factor(float %a, float %b) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %a
  %q = fmul contract float %p, %s
  ret float %q
}

define float @stored(float %a, float %b, ptr %out) {
  %p = fmul contract float %a, %b
  store float %p, ptr %out, align 4
  %s = fadd contract float %p, %a
  ret float %s
}

define float @converted(float %a, float %b, double %c) {
  %p = fmul contract float %a, %b
  %d = fpext contract float %p to double
  %s = fadd contract double %d, %c
  %r = fptrunc contract double %s to float
  ret float %r
}

; -- becomes
define float @returned(float %a, float %b, ptr %out) {
0:
  %p = fmul float %a, %b
  %s = fadd float %p, %a
  store float %s, ptr %out, align 4
  ret float %p
}

define float @factor(float %a, float %b) {
0:
  %p = fmul float %a, %b
  %s = fadd float %p, %a
  %q = fmul float %p, %s
  ret float %q
}

define float @stored(float %a, float %b, ptr %out) {
0:
  %p = fmul float %a, %b
  store float %p, ptr %out, align 4
  %s = fadd float %p, %a
  ret float %s
}

define float @converted(float %a, float %b, double %c) {
0:
  %p = fmul float %a, %b
  %d = fpext float %p to double
  %s = fadd double %d, %c
  %r = fptrunc double %s to float
  ret float %r
}
