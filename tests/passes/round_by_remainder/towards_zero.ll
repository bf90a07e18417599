; SPDX-License-Identifier: Apache-2.0
; Towards zero is downwards, in any order of bounds and factors.

declare float @llvm.maximumnum.f32(float, float)
declare float @llvm.minimumnum.f32(float, float)
declare float @llvm.nvvm.fma.rm.f(float, float, float)
declare float @llvm.nvvm.fma.rp.f(float, float, float)
declare float @llvm.nvvm.fma.rz.f(float, float, float)

define float @f(float %x) {
  %a = call float @llvm.minimumnum.f32(float %x, float 2.000000e+00)
  %b = call float @llvm.maximumnum.f32(float %a, float 1.000000e+00)
  %c = call float @llvm.nvvm.fma.rz.f(float 3.000000e+00, float %b, float 1.000000e+02)
  ret float %c
}

; -- becomes
declare float @llvm.maximumnum.f32(float, float)

declare float @llvm.minimumnum.f32(float, float)

declare float @llvm.nvvm.fma.rm.f(float, float, float)

declare float @llvm.nvvm.fma.rp.f(float, float, float)

declare float @llvm.nvvm.fma.rz.f(float, float, float)

define float @f(float %x) {
0:
  %a = call float @llvm.minimumnum.f32(float %x, float 2.000000e+00)
  %b = call float @llvm.maximumnum.f32(float %a, float 1.000000e+00)
  %1 = call float @llvm.fma.f32(float 3.000000e+00, float %b, float 1.000000e+02)
  %2 = fsub float 1.000000e+02, %1
  %3 = call float @llvm.fma.f32(float 3.000000e+00, float %b, float %2)
  %4 = fcmp olt float %3, 0x0000000000000000
  %5 = fsub float %1, 0x3EE0000000000000
  %c = select i1 %4, float %5, float %1
  ret float %c
}

declare float @llvm.fma.f32(float, float, float)
