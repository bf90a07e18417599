; SPDX-License-Identifier: Apache-2.0
; Alone, 24 bits take 4 bytes of memory, in a vector 3.
define <2 x i24> @f(ptr %p) {
  %v = load <2 x i24>, ptr %p, align 8
  %q = getelementptr i8, ptr %p, i64 -4
  %s = load i24, ptr %q, align 4
  %i = insertelement <2 x i24> poison, i24 %s, i64 0
  %l = shufflevector <2 x i24> %i, <2 x i24> %v, <2 x i32> <i32 0, i32 2>
  %r = add <2 x i24> %l, %v
  ret <2 x i24> %r
}
; -- unchanged
