define ptx_kernel void @f() {
  %a = inttoptr i64 4096 to ptr
  store i32 0, ptr %a, align 4
  ret void
}
; -- unchanged
