; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 4: expected an instruction of the kernel IR, found 'multiply'
define void @f() {
  %1 = multiply i32 1, 2
  ret void
}
