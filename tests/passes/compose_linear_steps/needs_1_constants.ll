; SPDX-License-Identifier: Apache-2.0
; One of the factors isn't known.
declare float @llvm.fma.f32(float, float, float)

define float @f(float %x, float %y) {
  %a = call reassoc nsz float @llvm.fma.f32(float %x, float 2.0, float 1.0)
  %b = call reassoc nsz float @llvm.fma.f32(float %a, float %y, float 1.0)
  ret float %b
}

; -- unchanged
