; SPDX-License-Identifier: Apache-2.0
; The fused operation keeps the flags of both; `contract` goes from everything, out of `fast` too.

define float @both(float %a, float %b, float %c) {
  %p = fmul nnan contract nsz float %a, %b
  %s = fadd nnan ninf contract float %p, %c
  ret float %s
}

define float @fast(float %a, float %b, float %c) {
  %p = fmul fast float %a, %b
  %s = fadd fast float %p, %c
  %q = fdiv fast float %s, %c
  %r = call contract float @llvm.sqrt.f32(float %q)
  %t = select contract i1 true, float %r, float %q
  ret float %t
}

declare float @llvm.sqrt.f32(float)

; -- becomes
define float @both(float %a, float %b, float %c) {
0:
  %s = call nnan float @llvm.fma.f32(float %a, float %b, float %c)
  ret float %s
}

define float @fast(float %a, float %b, float %c) {
0:
  %s = call reassoc nnan ninf nsz arcp afn float @llvm.fma.f32(float %a, float %b, float %c)
  %q = fdiv reassoc nnan ninf nsz arcp afn float %s, %c
  %r = call float @llvm.sqrt.f32(float %q)
  %t = select i1 true, float %r, float %q
  ret float %t
}

declare float @llvm.sqrt.f32(float)

declare float @llvm.fma.f32(float, float, float)
