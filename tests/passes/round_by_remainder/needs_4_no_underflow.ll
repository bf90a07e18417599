; SPDX-License-Identifier: Apache-2.0
; The remainder may be a denormal, or the factor of a product that counts.

declare float @llvm.maximumnum.f32(float, float)
declare float @llvm.minimumnum.f32(float, float)
declare float @llvm.nvvm.fma.rm.f(float, float, float)
declare float @llvm.nvvm.fma.rp.f(float, float, float)
declare float @llvm.nvvm.fma.rz.f(float, float, float)

define float @f(float %x, ptr %p) {
  %a = call float @llvm.maximumnum.f32(float %x, float 0.000000e+00)
  %b = call float @llvm.minimumnum.f32(float %a, float 0x3B40000000000000)
  %c = call float @llvm.nvvm.fma.rm.f(float %b, float 1.000000e+00, float 0x3B50000000000000)
  store float %c, ptr %p, align 4
  %d = call float @llvm.minimumnum.f32(float %a, float 0x3810000000000000)
  %e = call float @llvm.nvvm.fma.rm.f(float %d, float 0x47D0000000000000, float 2.000000e+00)
  ret float %e
}

; -- unchanged
