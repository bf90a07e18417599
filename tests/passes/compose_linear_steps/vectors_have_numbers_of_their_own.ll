; SPDX-License-Identifier: Apache-2.0
; Differences in either order, negations and products; flags that all share.
declare <2 x float> @llvm.fma.v2f32(<2 x float>, <2 x float>, <2 x float>)

define <2 x float> @f(<2 x float> %x) {
  %a = fsub reassoc nsz nnan <2 x float> <float 1.0, float 2.0>, %x
  %b = call reassoc nsz nnan <2 x float> @llvm.fma.v2f32(<2 x float> %a, <2 x float> <float 2.0, float 4.0>, <2 x float> splat (float 1.0))
  %c = fneg reassoc nsz <2 x float> %b
  %d = fmul reassoc nsz nnan <2 x float> %c, splat (float 0.5)
  %e = fsub reassoc nsz nnan <2 x float> %d, splat (float 8.0)
  ret <2 x float> %e
}

; -- becomes
declare <2 x float> @llvm.fma.v2f32(<2 x float>, <2 x float>, <2 x float>)

define <2 x float> @f(<2 x float> %x) {
0:
  %e = call reassoc nsz <2 x float> @llvm.fma.v2f32(<2 x float> %x, <2 x float> <float 0x3FF0000000000000, float 0x4000000000000000>, <2 x float> <float 0xC023000000000000, float 0xC029000000000000>)
  ret <2 x float> %e
}
