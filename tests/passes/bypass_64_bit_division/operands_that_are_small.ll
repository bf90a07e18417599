; Ranges prove that both fit 32 bits: no test.
define i64 @f(i32 %a, i64 %b, i64 %c) {
  %wide = zext i32 %a to i64
  %divisor = lshr i64 %b, 33
  %q = udiv i64 %wide, %divisor
  %r = urem i64 %q, %divisor
  ret i64 %r
}
; -- becomes
define i64 @f(i32 %a, i64 %b, i64 %c) {
0:
  %wide = zext i32 %a to i64
  %divisor = lshr i64 %b, 33
  %1 = trunc i64 %wide to i32
  %2 = trunc i64 %divisor to i32
  %3 = udiv i32 %1, %2
  %4 = urem i32 %3, %2
  %5 = zext i32 %4 to i64
  ret i64 %5
}
