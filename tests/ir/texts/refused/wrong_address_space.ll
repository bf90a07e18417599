; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 4: expected a value of type ptr, found 'ptr addrspace(1) @f'
@f = addrspace(1) global i32 0
@g = global ptr @f
