; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 4: expected a value of type float, found 'i32 %a'
define i32 @f(i32 %a) {
  %b = fadd float %a, 1.000000e+00
  ret i32 %a
}
