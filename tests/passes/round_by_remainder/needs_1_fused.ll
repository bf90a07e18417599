; SPDX-License-Identifier: Apache-2.0
; The host has no fused operation.
; options: fused=False
declare float @llvm.maximumnum.f32(float, float)
declare float @llvm.minimumnum.f32(float, float)
declare float @llvm.nvvm.fma.rm.f(float, float, float)
declare float @llvm.nvvm.fma.rp.f(float, float, float)
declare float @llvm.nvvm.fma.rz.f(float, float, float)

define float @f(float %x) {
  %a = call float @llvm.maximumnum.f32(float %x, float 0.000000e+00)
  %b = call float @llvm.minimumnum.f32(float %a, float 1.000000e+00)
  %c = call float @llvm.nvvm.fma.rm.f(float %b, float 0x406F800000000000, float 0x4168000020000000)
  ret float %c
}

; -- unchanged
