; SPDX-License-Identifier: Apache-2.0
; Halves of two vectors side by side, by way of smaller ones and of single elements.
define <4 x i16> @f(ptr %p) {
  %a = load <4 x i16>, ptr %p, align 8
  %q = getelementptr i8, ptr %p, i64 8
  %b = load <4 x i16>, ptr %q, align 8
  %h = shufflevector <4 x i16> %a, <4 x i16> poison, <2 x i32> <i32 2, i32 3>
  %e = extractelement <4 x i16> %b, i64 0
  %w = shufflevector <2 x i16> %h, <2 x i16> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
  %x = insertelement <4 x i16> %w, i16 %e, i64 2
  %f = extractelement <4 x i16> %b, i64 1
  %y = insertelement <4 x i16> %x, i16 %f, i64 3
  %r = add <4 x i16> %y, %a
  ret <4 x i16> %r
}
; -- becomes
define <4 x i16> @f(ptr %p) {
0:
  %a = load <4 x i16>, ptr %p, align 8
  %q = getelementptr i8, ptr %p, i64 8
  %b = load <4 x i16>, ptr %q, align 8
  %1 = getelementptr i8, ptr %p, i64 4
  %2 = load <4 x i16>, ptr %1, align 4
  %h = shufflevector <4 x i16> %a, <4 x i16> poison, <2 x i32> <i32 2, i32 3>
  %e = extractelement <4 x i16> %b, i64 0
  %w = shufflevector <2 x i16> %h, <2 x i16> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
  %x = insertelement <4 x i16> %w, i16 %e, i64 2
  %f = extractelement <4 x i16> %b, i64 1
  %y = insertelement <4 x i16> %x, i16 %f, i64 3
  %r = add <4 x i16> %2, %a
  ret <4 x i16> %r
}
