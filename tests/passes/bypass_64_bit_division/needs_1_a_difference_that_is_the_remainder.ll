; The difference is not that of the dividend.
define i64 @f(i64 %a, i64 %b, i64 %c) {
  %q = udiv i64 %a, %b
  %p = mul i64 %q, %b
  %r = sub i64 %c, %p
  ret i64 %r
}
; -- becomes
define i64 @f(i64 %a, i64 %b, i64 %c) {
0:
  %1 = or i64 %a, %b
  %2 = freeze i64 %1
  %3 = and i64 %2, -4294967296
  %4 = icmp eq i64 %3, 0
  br i1 %4, label %5, label %10

5:
  %6 = trunc i64 %a to i32
  %7 = trunc i64 %b to i32
  %8 = udiv i32 %6, %7
  %9 = zext i32 %8 to i64
  br label %12

10:
  %11 = call i64 asm "div.u64 $0, $1, $2;", "=l,l,l"(i64 %a, i64 %b)
  br label %12

12:
  %q = phi i64 [ %9, %5 ], [ %11, %10 ]
  %p = mul i64 %q, %b
  %r = sub i64 %c, %p
  ret i64 %r
}
