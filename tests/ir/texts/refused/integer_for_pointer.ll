; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 3: expected a constant of type ptr, found '0'
@x = global ptr 0
