; The pointer may be one to global memory.
@tile = internal addrspace(3) global [16 x [17 x float]] undef, align 4
define float @f(ptr %a, i1 %c, i64 %i) {
  %p = select i1 %c, ptr %a, ptr addrspacecast (ptr addrspace(3) @tile to ptr)
  %q = getelementptr inbounds float, ptr %p, i64 %i
  %v = load float, ptr %q, align 4
  ret float %v
}
; -- unchanged
