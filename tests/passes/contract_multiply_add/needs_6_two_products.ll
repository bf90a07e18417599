; SPDX-License-Identifier: Apache-2.0
; Of two products that a sum could fuse it fuses the first, unless that one must stay.

define float @first(float %a, float %b, float %c, float %d) {
  %p = fmul contract float %a, %b
  %q = fmul contract float %c, %d
  %s = fsub contract float %p, %q
  ret float %s
}

define float @second(float %a, float %b, float %c, float %d, ptr %out) {
  %p = fmul contract float %a, %b
  store float %p, ptr %out, align 4
  %q = fmul contract float %c, %d
  %s = fsub contract float %p, %q
  ret float %s
}

define float @same(float %a, float %b) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %p
  ret float %s
}

define float @first_stays(float %a, float %b, float %c, float %d) {
  %p = fmul contract float %a, %b
  %q = fmul contract float %b, %c
  %r = fmul contract float %c, %d
  %s = fadd contract float %p, %q
  %t = fadd contract float %q, %r
  %u = fdiv float %s, %t
  ret float %u
}

define float @second_elsewhere_first(float %a, float %b, float %c, float %d) {
  %p = fmul contract float %a, %b
  %q = fmul contract float %c, %d
  %s = fadd contract float %p, %q
  %t = fadd contract float %q, %s
  ret float %t
}

; -- becomes
define float @first(float %a, float %b, float %c, float %d) {
0:
  %q = fmul float %c, %d
  %1 = fneg float %q
  %s = call float @llvm.fma.f32(float %a, float %b, float %1)
  ret float %s
}

define float @second(float %a, float %b, float %c, float %d, ptr %out) {
0:
  %p = fmul float %a, %b
  store float %p, ptr %out, align 4
  %1 = fneg float %c
  %s = call float @llvm.fma.f32(float %1, float %d, float %p)
  ret float %s
}

define float @same(float %a, float %b) {
0:
  %p = fmul float %a, %b
  %s = fadd float %p, %p
  ret float %s
}

define float @first_stays(float %a, float %b, float %c, float %d) {
0:
  %q = fmul float %b, %c
  %s = call float @llvm.fma.f32(float %a, float %b, float %q)
  %t = call float @llvm.fma.f32(float %c, float %d, float %q)
  %u = fdiv float %s, %t
  ret float %u
}

define float @second_elsewhere_first(float %a, float %b, float %c, float %d) {
0:
  %q = fmul float %c, %d
  %s = call float @llvm.fma.f32(float %a, float %b, float %q)
  %t = fadd float %q, %s
  ret float %t
}

declare float @llvm.fma.f32(float, float, float)
