; SPDX-License-Identifier: Apache-2.0
; The exponent of the function for doubles is a whole number.

define internal double @__lw_scale_by_power_of_two(double %x, double %n) {
  %r = fmul double %x, %n
  ret double %r
}

; -- becomes
define internal double @__lw_scale_by_power_of_two(double %x, double %n) {
0:
  %1 = fptosi double %n to i32
  %2 = freeze i32 %1
  %3 = call double @llvm.ldexp.f64.i32(double %x, i32 %2)
  ret double %3
}

declare double @llvm.ldexp.f64.i32(double, i32)
