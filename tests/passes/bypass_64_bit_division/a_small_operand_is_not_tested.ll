define i64 @f(i32 %a, i64 %b) {
  %wide = zext i32 %a to i64
  %q = sdiv i64 %wide, %b
  ret i64 %q
}
; -- becomes
define i64 @f(i32 %a, i64 %b) {
0:
  %wide = zext i32 %a to i64
  %1 = freeze i64 %b
  %2 = and i64 %1, -4294967296
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %4, label %9

4:
  %5 = trunc i64 %wide to i32
  %6 = trunc i64 %b to i32
  %7 = udiv i32 %5, %6
  %8 = zext i32 %7 to i64
  br label %11

9:
  %10 = call i64 asm "div.s64 $0, $1, $2;", "=l,l,l"(i64 %wide, i64 %b)
  br label %11

11:
  %q = phi i64 [ %8, %4 ], [ %10, %9 ]
  ret i64 %q
}
