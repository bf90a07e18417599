; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 5: expected the index of a member of %T, found '2'
%T = type { i32, float }
define void @f(%T %a) {
  %b = extractvalue %T %a, 2
  ret void
}
