; Vectors, the other names, and the flag that stands for all; what is not rewritten keeps its declaration.
define <4 x float> @f(<4 x float> %v, float %x) {
  %1 = call reassoc nsz arcp afn <4 x float> @_Z5rsqrtDv4_f(<4 x float> %v)
  %2 = call fast float @_Z12native_rsqrtf(float %x)
  %3 = call reassoc nsz arcp afn float @_Z10half_rsqrtf(float %x)
  %4 = call float @_Z10half_rsqrtf(float %x)
  %5 = insertelement <4 x float> %1, float %2, i32 0
  %6 = insertelement <4 x float> %5, float %3, i32 1
  %7 = insertelement <4 x float> %6, float %4, i32 2
  ret <4 x float> %7
}
declare <4 x float> @_Z5rsqrtDv4_f(<4 x float>)
declare float @_Z12native_rsqrtf(float)
declare float @_Z10half_rsqrtf(float)
; -- becomes
define <4 x float> @f(<4 x float> %v, float %x) {
0:
  %1 = call reassoc nsz arcp afn <4 x float> @llvm.sqrt.v4f32(<4 x float> %v)
  %2 = fdiv reassoc nsz arcp afn <4 x float> splat (float 1.0), %1
  %3 = call reassoc nsz arcp afn float @llvm.sqrt.f32(float %x)
  %4 = fdiv fast float 1.0, %3
  %5 = call reassoc nsz arcp afn float @llvm.sqrt.f32(float %x)
  %6 = fdiv reassoc nsz arcp afn float 1.0, %5
  %7 = call float @_Z10half_rsqrtf(float %x)
  %8 = insertelement <4 x float> %2, float %4, i32 0
  %9 = insertelement <4 x float> %8, float %6, i32 1
  %10 = insertelement <4 x float> %9, float %7, i32 2
  ret <4 x float> %10
}

declare float @_Z10half_rsqrtf(float)

declare <4 x float> @llvm.sqrt.v4f32(<4 x float>)

declare float @llvm.sqrt.f32(float)
