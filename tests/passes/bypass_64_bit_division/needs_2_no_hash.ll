; A product with a constant beyond 32 bits fills 64 bits, and 44 of them after the shift.
define i64 @f(i64 %key, i64 %size) {
  %product = mul i64 %key, -7046029254386353131
  %hash = lshr i64 %product, 20
  %at = urem i64 %hash, %size
  ret i64 %at
}
; -- unchanged
