; LLVM has turned the remainder into a difference.
define void @f(i64 %a, i64 %b, ptr %p) {
  %q = sdiv i64 %a, %b
  %product = mul nsw i64 %b, %q
  %r = sub nsw i64 %a, %product
  store i64 %q, ptr %p, align 8
  %p.1 = getelementptr i8, ptr %p, i64 8
  store i64 %r, ptr %p.1, align 8
  ret void
}
; -- becomes
define void @f(i64 %a, i64 %b, ptr %p) {
0:
  %1 = or i64 %a, %b
  %2 = freeze i64 %1
  %3 = and i64 %2, -4294967296
  %4 = icmp eq i64 %3, 0
  br i1 %4, label %5, label %13

5:
  %6 = trunc i64 %a to i32
  %7 = trunc i64 %b to i32
  %8 = udiv i32 %6, %7
  %9 = mul i32 %8, %7
  %10 = sub i32 %6, %9
  %11 = zext i32 %8 to i64
  %12 = zext i32 %10 to i64
  br label %17

13:
  %14 = call i64 asm "div.s64 $0, $1, $2;", "=l,l,l"(i64 %a, i64 %b)
  %15 = mul i64 %14, %b
  %16 = sub i64 %a, %15
  br label %17

17:
  %q = phi i64 [ %11, %5 ], [ %14, %13 ]
  %r = phi i64 [ %12, %5 ], [ %16, %13 ]
  store i64 %q, ptr %p, align 8
  %p.1 = getelementptr i8, ptr %p, i64 8
  store i64 %r, ptr %p.1, align 8
  ret void
}
