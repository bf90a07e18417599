; A program's own definition is used.
define ptx_kernel void @k() {
  %c = call i1 @__lw_grid_is_cooperative()
  ret void
}
define i1 @__lw_grid_is_cooperative() {
  ret i1 false
}
; -- unchanged
