define ptx_kernel void @f(i64 %p, i64 %q) {
  %a = and i64 %p, 4294967280
  %b = inttoptr i64 %a to ptr
  store i32 0, ptr %b, align 4
  %c = and i64 %q, -6
  %d = inttoptr i64 %c to ptr
  store i32 0, ptr %d, align 4
  ret void
}
; -- unchanged
