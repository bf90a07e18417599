; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 4: expected an instruction of the kernel IR, found 'landingpad'
define void @f() {
  %1 = landingpad { ptr, i32 }
    cleanup
  ret void
}
