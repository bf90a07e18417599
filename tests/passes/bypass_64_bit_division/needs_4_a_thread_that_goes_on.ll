; The second divisor may be 0, if the thread doesn't get there.
declare void @g(i64)
define i64 @f(i64 %a, i64 %b, i64 %c) {
  %q = udiv i64 %a, %b
  call void @g(i64 %q)
  %r = udiv i64 %a, %c
  ret i64 %r
}
; -- becomes
declare void @g(i64)

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
  call void @g(i64 %q)
  %13 = or i64 %a, %c
  %14 = freeze i64 %13
  %15 = and i64 %14, -4294967296
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %17, label %22

17:
  %18 = trunc i64 %a to i32
  %19 = trunc i64 %c to i32
  %20 = udiv i32 %18, %19
  %21 = zext i32 %20 to i64
  br label %24

22:
  %23 = call i64 asm "div.u64 $0, $1, $2;", "=l,l,l"(i64 %a, i64 %c)
  br label %24

24:
  %r = phi i64 [ %21, %17 ], [ %23, %22 ]
  ret i64 %r
}
