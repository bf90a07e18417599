; `k` may be -4: what is added to it stays in the sum, and so does the constant of an address that isn't in the array.
@line = internal addrspace(3) global [264 x float] undef, align 4
define float @f(i32 %k, i32 %n) {
  %wide = sext i32 %k to i64
  %p = getelementptr float, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @line to ptr), i64 16), i64 %wide
  %v = load float, ptr %p, align 4
  %outside = getelementptr float, ptr addrspacecast (ptr addrspace(3) @line to ptr), i64 %wide
  %q = getelementptr i8, ptr %outside, i64 20
  %w = load float, ptr %q, align 4
  %inside = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(3) @line to ptr), i64 %wide
  %r = getelementptr inbounds i8, ptr %inside, i64 4
  %x = load float, ptr %r, align 4
  %small = and i32 %n, 127
  %positive = sext i32 %small to i64
  %s = getelementptr float, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @line to ptr), i64 16), i64 %positive
  %y = load float, ptr %s, align 4
  %vw = fadd float %v, %w
  %xy = fadd float %x, %y
  %sum = fadd float %vw, %xy
  ret float %sum
}
; -- becomes
@line = internal addrspace(3) global [264 x float] undef, align 4

define float @f(i32 %k, i32 %n) {
0:
  %1 = mul i32 %k, 4
  %2 = add i32 %1, 16
  %3 = add i32 %2, ptrtoint (ptr addrspace(3) @line to i32)
  %4 = inttoptr i32 %3 to ptr addrspace(3)
  %v = load float, ptr addrspace(3) %4, align 4
  %5 = mul i32 %k, 4
  %6 = add i32 %5, 20
  %7 = add i32 %6, ptrtoint (ptr addrspace(3) @line to i32)
  %8 = inttoptr i32 %7 to ptr addrspace(3)
  %w = load float, ptr addrspace(3) %8, align 4
  %9 = mul i32 %k, 4
  %10 = add i32 %9, ptrtoint (ptr addrspace(3) @line to i32)
  %11 = inttoptr i32 %10 to ptr addrspace(3)
  %12 = getelementptr i8, ptr addrspace(3) %11, i64 4
  %x = load float, ptr addrspace(3) %12, align 4
  %small = and i32 %n, 127
  %13 = mul i32 %small, 4
  %14 = add i32 %13, ptrtoint (ptr addrspace(3) @line to i32)
  %15 = inttoptr i32 %14 to ptr addrspace(3)
  %16 = getelementptr i8, ptr addrspace(3) %15, i64 16
  %y = load float, ptr addrspace(3) %16, align 4
  %vw = fadd float %v, %w
  %xy = fadd float %x, %y
  %sum = fadd float %vw, %xy
  ret float %sum
}
