; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 4: expected an argument (a musttail call that passes on `...` is not read), found '...'
define void @f(ptr %x, ...) {
  musttail call void (ptr, ...) @f(ptr %x, ...)
  ret void
}
