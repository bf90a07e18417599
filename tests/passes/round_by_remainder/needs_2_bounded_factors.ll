; SPDX-License-Identifier: Apache-2.0
; A factor that may be a NaN, or negative, or without a limit; a factor that is negative, or no constant.

declare float @llvm.maximumnum.f32(float, float)
declare float @llvm.minimumnum.f32(float, float)
declare float @llvm.nvvm.fma.rm.f(float, float, float)
declare float @llvm.nvvm.fma.rp.f(float, float, float)
declare float @llvm.nvvm.fma.rz.f(float, float, float)

define float @f(float %x, float %y, ptr %p) {
  %a = call float @llvm.minimumnum.f32(float %x, float 1.000000e+00)
  %b = call float @llvm.nvvm.fma.rm.f(float %a, float 0x406F800000000000, float 0x4168000020000000)
  store float %b, ptr %p, align 4
  %c = call float @llvm.maximumnum.f32(float %a, float -1.000000e+00)
  %d = call float @llvm.nvvm.fma.rm.f(float %c, float 0x406F800000000000, float 0x4168000020000000)
  store float %d, ptr %p, align 4
  %e = call float @llvm.maximumnum.f32(float %a, float 0.000000e+00)
  %f = call float @llvm.nvvm.fma.rm.f(float %e, float -1.000000e+00, float 0x4168000020000000)
  store float %f, ptr %p, align 4
  %g = call float @llvm.nvvm.fma.rm.f(float %e, float %y, float 0x4168000020000000)
  ret float %g
}

; -- unchanged
