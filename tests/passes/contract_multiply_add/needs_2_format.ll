; SPDX-License-Identifier: Apache-2.0
; bfloat, alone and in vectors.

define bfloat @scalar(bfloat %a, bfloat %b, bfloat %c) {
  %p = fmul contract bfloat %a, %b
  %s = fadd contract bfloat %p, %c
  ret bfloat %s
}

define <2 x bfloat> @vector(<2 x bfloat> %a, <2 x bfloat> %b, <2 x bfloat> %c) {
  %p = fmul contract <2 x bfloat> %a, %b
  %s = fadd contract <2 x bfloat> %p, %c
  ret <2 x bfloat> %s
}

; -- becomes
define bfloat @scalar(bfloat %a, bfloat %b, bfloat %c) {
0:
  %p = fmul bfloat %a, %b
  %s = fadd bfloat %p, %c
  ret bfloat %s
}

define <2 x bfloat> @vector(<2 x bfloat> %a, <2 x bfloat> %b, <2 x bfloat> %c) {
0:
  %p = fmul <2 x bfloat> %a, %b
  %s = fadd <2 x bfloat> %p, %c
  ret <2 x bfloat> %s
}
