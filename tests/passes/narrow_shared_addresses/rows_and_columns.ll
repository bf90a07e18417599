; The row and the column are added before both are scaled.
@tile = internal addrspace(3) global [16 x [17 x float]] undef, align 4
define void @f(i32 %y, i64 %x, float %v) {
  %wide = sext i32 %y to i64
  %p = getelementptr inbounds [17 x float], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %wide, i64 %x
  store float %v, ptr %p, align 4
  ret void
}
; -- becomes
@tile = internal addrspace(3) global [16 x [17 x float]] undef, align 4

define void @f(i32 %y, i64 %x, float %v) {
0:
  %1 = mul i32 %y, 17
  %2 = trunc i64 %x to i32
  %3 = add i32 %1, %2
  %4 = mul i32 %3, 4
  %5 = add i32 %4, ptrtoint (ptr addrspace(3) @tile to i32)
  %6 = inttoptr i32 %5 to ptr addrspace(3)
  store float %v, ptr addrspace(3) %6, align 4
  ret void
}
