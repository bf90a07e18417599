; Run: python -m pytest tests/ir/test_round_trip.py
; error: IR line 4: expected an instruction of the kernel IR, found 'callbr'
define void @f() {
  callbr void asm "", "!i"()
    to label %a [label %b]
}
