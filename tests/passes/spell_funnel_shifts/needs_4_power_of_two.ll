; SPDX-License-Identifier: Apache-2.0
; An amount modulo 24 is no mask; of vectors each element would need one.

define i24 @f(i24 %a, i24 %b, i24 %n) {
  %r = call i24 @llvm.fshl.i24(i24 %a, i24 %b, i24 %n)
  ret i24 %r
}
define <2 x i32> @g(<2 x i32> %a, <2 x i32> %b, <2 x i32> %n) {
  %r = call <2 x i32> @llvm.fshl.v2i32(<2 x i32> %a, <2 x i32> %b, <2 x i32> %n)
  ret <2 x i32> %r
}
declare i24 @llvm.fshl.i24(i24, i24, i24)
declare <2 x i32> @llvm.fshl.v2i32(<2 x i32>, <2 x i32>, <2 x i32>)

; -- becomes

define i24 @f(i24 %a, i24 %b, i24 %n) {
0:
  %r = call i24 @llvm.fshl.i24(i24 %a, i24 %b, i24 %n)
  ret i24 %r
}

define <2 x i32> @g(<2 x i32> %a, <2 x i32> %b, <2 x i32> %n) {
0:
  %r = call <2 x i32> @llvm.fshl.v2i32(<2 x i32> %a, <2 x i32> %b, <2 x i32> %n)
  ret <2 x i32> %r
}

declare i24 @llvm.fshl.i24(i24, i24, i24)

declare <2 x i32> @llvm.fshl.v2i32(<2 x i32>, <2 x i32>, <2 x i32>)
