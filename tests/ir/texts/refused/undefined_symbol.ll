; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 3: expected a symbol that the module declares, found '@missing'
@x = global ptr @missing
