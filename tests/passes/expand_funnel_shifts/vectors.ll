; SPDX-License-Identifier: Apache-2.0
; Each element by an amount of its own; the same for all is left.

define <2 x i16> @f(<2 x i16> %a, <2 x i16> %b, <2 x i16> %n) {
  %r = call <2 x i16> @llvm.fshl.v2i16(<2 x i16> %a, <2 x i16> %b, <2 x i16> %n)
  %s = call <2 x i16> @llvm.fshl.v2i16(<2 x i16> zeroinitializer, <2 x i16> %r, <2 x i16> <i16 1, i16 0>)
  %t = call <2 x i16> @llvm.fshl.v2i16(<2 x i16> %s, <2 x i16> %r, <2 x i16> splat (i16 3))
  ret <2 x i16> %t
}
declare <2 x i16> @llvm.fshl.v2i16(<2 x i16>, <2 x i16>, <2 x i16>)

; -- becomes
define <2 x i16> @f(<2 x i16> %a, <2 x i16> %b, <2 x i16> %n) {
0:
  %1 = and <2 x i16> %n, splat (i16 15)
  %2 = xor <2 x i16> %1, splat (i16 15)
  %3 = shl <2 x i16> %a, %1
  %4 = lshr <2 x i16> %b, splat (i16 1)
  %5 = lshr <2 x i16> %4, %2
  %r = or <2 x i16> %3, %5
  %6 = and <2 x i16> <i16 1, i16 0>, splat (i16 15)
  %7 = xor <2 x i16> %6, splat (i16 15)
  %8 = shl <2 x i16> zeroinitializer, %6
  %9 = lshr <2 x i16> %r, splat (i16 1)
  %10 = lshr <2 x i16> %9, %7
  %s = or <2 x i16> %8, %10
  %t = call <2 x i16> @llvm.fshl.v2i16(<2 x i16> %s, <2 x i16> %r, <2 x i16> splat (i16 3))
  ret <2 x i16> %t
}

declare <2 x i16> @llvm.fshl.v2i16(<2 x i16>, <2 x i16>, <2 x i16>)
