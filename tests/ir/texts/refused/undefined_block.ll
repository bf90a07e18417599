; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 4: expected a block of the function, found '%no'
define void @f(i1 %c) {
  br i1 %c, label %yes, label %no

yes:
  ret void
}
