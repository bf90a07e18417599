; SPDX-License-Identifier: Apache-2.0
; The back end folds a negation; LLVM has products and sums of its own.
declare float @llvm.fma.f32(float, float, float)

define float @f(float %x) {
  %a = fneg reassoc nsz float %x
  %b = call reassoc nsz float @llvm.fma.f32(float %a, float 2.0, float 1.0)
  %c = fmul reassoc nsz float %x, 3.0
  %d = fadd reassoc nsz float %c, 3.0
  %e = fdiv float %b, %d
  ret float %e
}

; -- unchanged
