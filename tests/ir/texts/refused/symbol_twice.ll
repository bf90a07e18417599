; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 4: expected a symbol defined once, found '@f'
@f = global i32 0
declare void @f()
