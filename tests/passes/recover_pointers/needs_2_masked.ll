define ptx_kernel void @f(i64 %p) {
  %a = and i64 %p, -16
  %b = inttoptr i64 %a to ptr
  store i32 0, ptr %b, align 4
  ret void
}
; -- unchanged
