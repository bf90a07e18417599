; SPDX-License-Identifier: Apache-2.0
; The element after a vector, which is put last: the address is in the vector that has been loaded.
define <4 x float> @f(ptr %p) {
  %v = load <4 x float>, ptr %p, align 8
  %q = getelementptr i8, ptr %p, i64 16
  %s = load float, ptr %q, align 4
  %l = shufflevector <4 x float> %v, <4 x float> poison, <4 x i32> <i32 1, i32 2, i32 3, i32 poison>
  %i = insertelement <4 x float> %l, float %s, i64 3
  %r = fadd <4 x float> %v, %i
  ret <4 x float> %r
}
; -- becomes
define <4 x float> @f(ptr %p) {
0:
  %v = load <4 x float>, ptr %p, align 8
  %q = getelementptr i8, ptr %p, i64 16
  %s = load float, ptr %q, align 4
  %1 = getelementptr i8, ptr %p, i64 4
  %2 = load <4 x float>, ptr %1, align 4
  %l = shufflevector <4 x float> %v, <4 x float> poison, <4 x i32> <i32 1, i32 2, i32 3, i32 poison>
  %i = insertelement <4 x float> %l, float %s, i64 3
  %r = fadd <4 x float> %v, %2
  ret <4 x float> %r
}
