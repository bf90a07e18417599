; SPDX-License-Identifier: Apache-2.0
; The first result is needed anyway.
declare float @llvm.fma.f32(float, float, float)

define float @f(float %x) {
  %a = call reassoc nsz float @llvm.fma.f32(float %x, float 2.0, float 1.0)
  %b = call reassoc nsz float @llvm.fma.f32(float %a, float 2.0, float 1.0)
  %c = fdiv float %b, %a
  ret float %c
}

; -- unchanged
