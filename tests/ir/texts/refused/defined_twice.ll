; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 5: expected a name that is not defined already, found '%b'
define i32 @f(i32 %a) {
  %b = add i32 %a, 1
  %b = add i32 %a, 2
  ret i32 %b
}
