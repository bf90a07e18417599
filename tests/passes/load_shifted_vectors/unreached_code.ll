; Code that isn't reached stays: an address, and a vector, may be computed from itself there.
define <4 x float> @f(ptr %p) {
  ret <4 x float> zeroinitializer
unreached:
  %q = getelementptr i8, ptr %q, i64 4
  %v = load <4 x float>, ptr %q, align 4
  %w = load <4 x float>, ptr %p, align 4
  %l = shufflevector <4 x float> %v, <4 x float> %w, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %i = insertelement <4 x float> %i, float 0.0, i64 0
  %r = fadd <4 x float> %l, %i
  ret <4 x float> %r
}
; -- unchanged
