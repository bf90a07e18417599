; SPDX-License-Identifier: Apache-2.0
; 0.1 and 0.2 in double, whose product is no double.
declare double @llvm.fma.f64(double, double, double)

define double @f(double %x) {
  %a = call reassoc nsz double @llvm.fma.f64(double %x, double 0.1, double 1.0)
  %b = call reassoc nsz double @llvm.fma.f64(double %a, double 0.2, double 1.0)
  ret double %b
}

; -- becomes
declare double @llvm.fma.f64(double, double, double)

define double @f(double %x) {
0:
  %b = call reassoc nsz double @llvm.fma.f64(double %x, double 0x3F947AE147AE147C, double 0x3FF3333333333333)
  ret double %b
}
