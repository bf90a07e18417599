; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 8: expected a value of type i32, as an earlier use says, found 'i64 %next'
define i32 @f() {
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = zext i8 1 to i64
  br label %loop
}
