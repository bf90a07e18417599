define ptx_kernel void @f(i64 %p) {
  %a = inttoptr i64 %p to ptr
  call void %a()
  ret void
}
; -- unchanged
