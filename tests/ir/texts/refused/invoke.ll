; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 4: expected an instruction of the kernel IR, found 'invoke'
define void @f() personality ptr @f {
  invoke void @f()
    to label %done unwind label %pad
}
