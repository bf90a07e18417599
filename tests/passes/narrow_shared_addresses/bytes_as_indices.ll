; A narrow index is extended as before.
@tile = internal addrspace(3) global [16 x [17 x float]] undef, align 4
define void @f(i8 %y, float %v) {
  %wide = sext i8 %y to i64
  %p = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %wide
  %q = getelementptr inbounds i8, ptr %p, i64 -4
  store float %v, ptr %q, align 4
  ret void
}
; -- becomes
@tile = internal addrspace(3) global [16 x [17 x float]] undef, align 4

define void @f(i8 %y, float %v) {
0:
  %1 = sext i8 %y to i32
  %2 = mul i32 %1, 4
  %3 = add i32 %2, ptrtoint (ptr addrspace(3) @tile to i32)
  %4 = inttoptr i32 %3 to ptr addrspace(3)
  %5 = getelementptr i8, ptr addrspace(3) %4, i64 -4
  store float %v, ptr addrspace(3) %5, align 4
  ret void
}
