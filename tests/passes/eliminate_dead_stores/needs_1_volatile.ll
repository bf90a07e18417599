; A volatile store is meant to be executed.
define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
  store volatile float 0.0, ptr %p, align 4
  store float 1.0, ptr %p, align 4
  ret void
}
; -- unchanged
