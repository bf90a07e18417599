; SPDX-License-Identifier: Apache-2.0
; What is contracted by the source's own statement, where the format allows it.

define <2 x double> @vector(<2 x double> %a, <2 x double> %b, <2 x double> %c) {
  %r = tail call contract nnan <2 x double> @llvm.fmuladd.v2f64(<2 x double> %a, <2 x double> %b, <2 x double> %c)
  ret <2 x double> %r
}

define bfloat @bfloat(bfloat %a, bfloat %b, bfloat %c) {
  %r = call bfloat @llvm.fmuladd.bf16(bfloat %a, bfloat %b, bfloat %c)
  ret bfloat %r
}

declare <2 x double> @llvm.fmuladd.v2f64(<2 x double>, <2 x double>, <2 x double>)

declare bfloat @llvm.fmuladd.bf16(bfloat, bfloat, bfloat)

; -- becomes
define <2 x double> @vector(<2 x double> %a, <2 x double> %b, <2 x double> %c) {
0:
  %r = call nnan <2 x double> @llvm.fma.v2f64(<2 x double> %a, <2 x double> %b, <2 x double> %c)
  ret <2 x double> %r
}

define bfloat @bfloat(bfloat %a, bfloat %b, bfloat %c) {
0:
  %1 = fmul bfloat %a, %b
  %r = fadd bfloat %1, %c
  ret bfloat %r
}

declare <2 x double> @llvm.fmuladd.v2f64(<2 x double>, <2 x double>, <2 x double>)

declare bfloat @llvm.fmuladd.bf16(bfloat, bfloat, bfloat)

declare <2 x double> @llvm.fma.v2f64(<2 x double>, <2 x double>, <2 x double>)
