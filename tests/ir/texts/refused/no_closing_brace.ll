; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 3: expected '}' that ends the function, found 'end of text'
define void @f() {
  ret void
