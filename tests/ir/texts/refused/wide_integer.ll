; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 3: expected an integer type of 1 to 8388608 bits, found 'i8388609'
@x = global i8388609 0
