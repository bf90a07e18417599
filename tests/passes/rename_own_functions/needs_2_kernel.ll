define ptx_kernel void @k() {
  ret void
}
; -- unchanged
