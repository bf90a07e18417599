; A place in a variable is a constant.
@tile = internal addrspace(3) global [16 x [17 x float]] undef, align 4
define float @f() {
  %p = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 3
  %v = load float, ptr %p, align 4
  ret float %v
}
; -- unchanged
