; A program's own definition is used.
define ptx_kernel void @k() {
  call void @__lw_await_warps()
  ret void
}
define internal void @__lw_await_warps() {
  ret void
}
; -- unchanged
