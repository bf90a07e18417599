; SPDX-License-Identifier: Apache-2.0
; The greatest sum is in the next binade; the summand is negative, or no constant.

declare float @llvm.maximumnum.f32(float, float)
declare float @llvm.minimumnum.f32(float, float)
declare float @llvm.nvvm.fma.rm.f(float, float, float)
declare float @llvm.nvvm.fma.rp.f(float, float, float)
declare float @llvm.nvvm.fma.rz.f(float, float, float)

define float @f(float %x, float %y, ptr %p) {
  %a = call float @llvm.maximumnum.f32(float %x, float 0.000000e+00)
  %b = call float @llvm.minimumnum.f32(float %a, float 1.000000e+00)
  %c = call float @llvm.nvvm.fma.rm.f(float %b, float 0x406F800000000000, float 1.000000e+00)
  store float %c, ptr %p, align 4
  %d = call float @llvm.nvvm.fma.rm.f(float %b, float 1.000000e+00, float 0x416FFFFFE0000000)
  store float %d, ptr %p, align 4
  %e = call float @llvm.nvvm.fma.rm.f(float %b, float 1.000000e+00, float -2.000000e+00)
  store float %e, ptr %p, align 4
  %f = call float @llvm.nvvm.fma.rm.f(float %b, float 1.000000e+00, float %y)
  ret float %f
}

; -- unchanged
