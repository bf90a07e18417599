; SPDX-License-Identifier: Apache-2.0
; The vector was loaded before a branch, on the only way to where it is shifted.
define <2 x i32> @f(ptr %p, i1 %c) {
entry:
  %v = load <2 x i32>, ptr %p, align 8
  br i1 %c, label %inside, label %end
inside:
  %q = getelementptr i8, ptr %p, i64 -4
  %s = load i32, ptr %q, align 4
  %i = insertelement <2 x i32> poison, i32 %s, i64 0
  %l = shufflevector <2 x i32> %i, <2 x i32> %v, <2 x i32> <i32 0, i32 2>
  %r = add <2 x i32> %l, %v
  ret <2 x i32> %r
end:
  ret <2 x i32> %v
}
; -- becomes
define <2 x i32> @f(ptr %p, i1 %c) {
entry:
  %v = load <2 x i32>, ptr %p, align 8
  br i1 %c, label %inside, label %end

inside:
  %q = getelementptr i8, ptr %p, i64 -4
  %s = load i32, ptr %q, align 4
  %0 = load <2 x i32>, ptr %q, align 4
  %i = insertelement <2 x i32> poison, i32 %s, i64 0
  %l = shufflevector <2 x i32> %i, <2 x i32> %v, <2 x i32> <i32 0, i32 2>
  %r = add <2 x i32> %0, %v
  ret <2 x i32> %r

end:
  ret <2 x i32> %v
}
