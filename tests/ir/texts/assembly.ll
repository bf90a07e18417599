; Run: python -m pytest tests/ir/test_round_trip.py
define ptx_kernel void @assembly(ptr %p, i32 %x) {
entry:
  call void asm sideeffect "membar.gl;", "~{memory}"() #0, !srcloc !0
  %lane = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  %pair = call { i32, i32 } asm sideeffect alignstack "{ .reg .pred p; \0A\09 mov.b64 {$0, $1}, $2; }", "=r,=r,l,~{memory}"(i64 7)
  %first = extractvalue { i32, i32 } %pair, 0
  %half = tail call i16 asm "add.f16 $0, $1, \22quoted\22;", "=h,h"(i16 1) #0
  call void asm sideeffect inteldialect "st.global.u32 [$0], $1;", "l,r"(ptr %p, i32 %x)
  call void asm sideeffect unwind "nop;", ""()
  ret void
}

attributes #0 = { convergent nounwind }

!0 = !{i64 12345}
