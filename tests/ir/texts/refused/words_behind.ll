; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 4: expected the end of the line, found '2'
define void @f(i32 %a) {
  %b = add i32 %a, 1 2
  ret void
}
