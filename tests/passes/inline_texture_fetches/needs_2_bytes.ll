; Channels of 8 bits.
define <4 x i32> @f(i64 %texture, i32 %x) {
  %t = call <4 x i32> @__lw_tex_fetch(i64 %texture, i32 65793, i32 %x)
  ret <4 x i32> %t
}

declare <4 x i32> @__lw_tex_fetch(i64, i32, i32)
; -- unchanged
