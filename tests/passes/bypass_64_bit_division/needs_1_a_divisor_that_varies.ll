; LLVM makes a product of it.
define i64 @f(i64 %a) {
  %q = udiv i64 %a, 10
  ret i64 %q
}
; -- unchanged
