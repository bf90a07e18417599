; Code that isn't reached stays: a quotient may be its own dividend there.
define i64 @f(i64 %n) {
  ret i64 0
unreached:
  %quotient = udiv i64 %quotient, %n
  br label %unreached
}
; -- unchanged
