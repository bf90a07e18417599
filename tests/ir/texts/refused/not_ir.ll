; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 3: expected a definition at the top of a module, found 'int'
int main() { return 0; }
