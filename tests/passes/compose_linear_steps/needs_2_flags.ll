; SPDX-License-Identifier: Apache-2.0
; One may not be reassociated.
declare float @llvm.fma.f32(float, float, float)

define float @f(float %x) {
  %a = call reassoc nsz float @llvm.fma.f32(float %x, float 2.0, float 1.0)
  %b = call nsz nnan float @llvm.fma.f32(float %a, float 2.0, float 1.0)
  ret float %b
}

; -- unchanged
