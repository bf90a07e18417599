; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 5: expected a value that the function defines, found '%missing'
define i32 @f(i32 %a) {
  %b = add i32 %a, 1
  %c = mul i32 %b, %missing
  ret i32 %c
}
