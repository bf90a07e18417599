; A place that is a constant already stays in the access, whatever is added to it, so that both addresses share the rest.
@tile = internal addrspace(3) global [288 x float] undef, align 4
define float @f(i32 %i) {
  %wide = zext nneg i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %wide
  %q = getelementptr inbounds float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 64), i64 %wide
  %v = load float, ptr %p, align 4
  %w = load float, ptr %q, align 4
  %sum = fadd float %v, %w
  ret float %sum
}
; -- becomes
@tile = internal addrspace(3) global [288 x float] undef, align 4

define float @f(i32 %i) {
0:
  %1 = mul i32 %i, 4
  %2 = add i32 %1, ptrtoint (ptr addrspace(3) @tile to i32)
  %3 = inttoptr i32 %2 to ptr addrspace(3)
  %4 = mul i32 %i, 4
  %5 = add i32 %4, ptrtoint (ptr addrspace(3) @tile to i32)
  %6 = inttoptr i32 %5 to ptr addrspace(3)
  %7 = getelementptr i8, ptr addrspace(3) %6, i64 64
  %v = load float, ptr addrspace(3) %3, align 4
  %w = load float, ptr addrspace(3) %7, align 4
  %sum = fadd float %v, %w
  ret float %sum
}
