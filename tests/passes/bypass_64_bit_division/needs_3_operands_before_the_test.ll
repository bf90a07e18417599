; The second dividend is known after the first quotient only: it has a test of its own.
define i64 @f(i64 %a, i64 %b, ptr %p) {
  %q = udiv i64 %a, %b
  store i64 %q, ptr %p, align 8
  %c = load i64, ptr %p, align 8
  %r = udiv i64 %c, %b
  ret i64 %r
}
; -- becomes
define i64 @f(i64 %a, i64 %b, ptr %p) {
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
  store i64 %q, ptr %p, align 8
  %c = load i64, ptr %p, align 8
  %13 = or i64 %c, %b
  %14 = freeze i64 %13
  %15 = and i64 %14, -4294967296
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %17, label %22

17:
  %18 = trunc i64 %c to i32
  %19 = trunc i64 %b to i32
  %20 = udiv i32 %18, %19
  %21 = zext i32 %20 to i64
  br label %24

22:
  %23 = call i64 asm "div.u64 $0, $1, $2;", "=l,l,l"(i64 %c, i64 %b)
  br label %24

24:
  %r = phi i64 [ %21, %17 ], [ %23, %22 ]
  ret i64 %r
}
