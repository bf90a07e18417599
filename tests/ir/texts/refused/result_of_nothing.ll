; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 4: expected no name for an instruction without result, found '%1'
define void @f(ptr %p) {
  %1 = store i32 0, ptr %p
  ret void
}
