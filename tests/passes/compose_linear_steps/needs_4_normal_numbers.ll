; SPDX-License-Identifier: Apache-2.0
; The factor would be infinite, or 0, or the summand infinite, of which one is less than 2^128 before it is rounded.
declare float @llvm.fma.f32(float, float, float)

define float @f(float %x) {
  %a = call reassoc nsz float @llvm.fma.f32(float %x, float 0x47D0000000000000, float 1.0)
  %b = call reassoc nsz float @llvm.fma.f32(float %a, float 0x47D0000000000000, float 1.0)
  %s = fdiv float %b, 3.0
  %c = call reassoc nsz float @llvm.fma.f32(float %s, float 0x3810000000000000, float 1.0)
  %d = call reassoc nsz float @llvm.fma.f32(float %c, float 0x3FE0000000000000, float 1.0)
  %t = fdiv float %d, 3.0
  %e = call reassoc nsz float @llvm.fma.f32(float %t, float 1.0, float 0x47D0000000000000)
  %g = call reassoc nsz float @llvm.fma.f32(float %e, float 0x4050000000000000, float 0.0)
  %u = fdiv float %g, 3.0
  %h = call reassoc nsz float @llvm.fma.f32(float %u, float 1.0, float 0x47EFFFFFE0000000)
  %i = call reassoc nsz float @llvm.fma.f32(float %h, float 1.0, float 0x4660000000000000)
  ret float %i
}

; -- unchanged
