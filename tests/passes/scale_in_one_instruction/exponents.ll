; SPDX-License-Identifier: Apache-2.0
; Exponents that are integers stay what they are; calls in the body don't count.

define internal double @__lw_load_exponent(double %x, i32 %n) {
  %size = call double @llvm.fabs.f64(double %x)
  %power = sitofp i32 %n to double
  %r = fmul double %size, %power
  ret double %r
}
declare double @llvm.fabs.f64(double)

; -- becomes
define internal double @__lw_load_exponent(double %x, i32 %n) {
0:
  %1 = call double @llvm.ldexp.f64.i32(double %x, i32 %n)
  ret double %1
}

declare double @llvm.fabs.f64(double)

declare double @llvm.ldexp.f64.i32(double, i32)
