define <2 x i64> @f(i32 %a, i32 %b, <2 x i64> %c, <2 x i64> %d) {
  %q = udiv i32 %a, %b
  %r = udiv <2 x i64> %c, %d
  ret <2 x i64> %r
}
; -- unchanged
