; `k` may be negative, but the start of a pair isn't before that of memory: its second member is 4 bytes beyond it.
@pairs = internal addrspace(3) global [64 x [2 x float]] undef, align 8
define float @f(i32 %k) {
  %wide = sext i32 %k to i64
  %p = getelementptr [2 x float], ptr addrspacecast (ptr addrspace(3) @pairs to ptr), i64 %wide
  %first = getelementptr i8, ptr %p, i64 16
  %v = load float, ptr %first, align 8
  %second = getelementptr i8, ptr %p, i64 20
  %w = load float, ptr %second, align 4
  %sum = fadd float %v, %w
  ret float %sum
}
; -- becomes
@pairs = internal addrspace(3) global [64 x [2 x float]] undef, align 8

define float @f(i32 %k) {
0:
  %1 = mul i32 %k, 8
  %2 = add i32 %1, 16
  %3 = add i32 %2, ptrtoint (ptr addrspace(3) @pairs to i32)
  %4 = inttoptr i32 %3 to ptr addrspace(3)
  %v = load float, ptr addrspace(3) %4, align 8
  %5 = add i32 %1, 16
  %6 = add i32 %5, ptrtoint (ptr addrspace(3) @pairs to i32)
  %7 = inttoptr i32 %6 to ptr addrspace(3)
  %8 = getelementptr i8, ptr addrspace(3) %7, i64 4
  %w = load float, ptr addrspace(3) %8, align 4
  %sum = fadd float %v, %w
  ret float %sum
}
