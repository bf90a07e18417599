; SPDX-License-Identifier: Apache-2.0
; The vector is reached in two ways, and one of them stores.
define <2 x i32> @f(ptr %p, i1 %c) {
entry:
  %v = load <2 x i32>, ptr %p, align 8
  br i1 %c, label %store, label %end
store:
  store i32 0, ptr %p, align 4
  br label %end
end:
  %q = getelementptr i8, ptr %p, i64 -4
  %s = load i32, ptr %q, align 4
  %i = insertelement <2 x i32> poison, i32 %s, i64 0
  %l = shufflevector <2 x i32> %i, <2 x i32> %v, <2 x i32> <i32 0, i32 2>
  %r = add <2 x i32> %l, %v
  ret <2 x i32> %r
}
; -- unchanged
