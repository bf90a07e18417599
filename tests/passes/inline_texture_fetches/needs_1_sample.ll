define <4 x i32> @f(i64 %texture, float %x) {
  %t = call <4 x i32> @__lw_tex_1d(i64 %texture, i32 131332, float %x)
  ret <4 x i32> %t
}

declare <4 x i32> @__lw_tex_1d(i64, i32, float)
; -- unchanged
