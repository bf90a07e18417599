; SPDX-License-Identifier: Apache-2.0
; An element beyond the border is a constant.
define <2 x i32> @f(ptr %p) {
  %v = load <2 x i32>, ptr %p, align 8
  %l = shufflevector <2 x i32> <i32 255, i32 poison>, <2 x i32> %v, <2 x i32> <i32 0, i32 2>
  %r = add <2 x i32> %l, %v
  ret <2 x i32> %r
}
; -- unchanged
