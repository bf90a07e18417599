; A function that isn't known may keep the variable's address, and read it when it is called again.
define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
  %v = alloca float, align 4
  call void @keep(ptr %v)
  store float 0.0, ptr %v, align 4
  call void @keep(ptr %q)
  ret void
}
declare void @keep(ptr)
; -- unchanged
