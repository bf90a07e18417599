; The block jumps to itself: its phis come from the block after the arms.
define i64 @f(i64 %a, i64 %b) {
entry:
  br label %loop
loop:
  %n = phi i64 [ %a, %entry ], [ %q, %loop ]
  %turns = phi i32 [ 0, %entry ], [ %more, %loop ]
  %q = udiv i64 %n, %b
  %more = add i32 %turns, 1
  %done = icmp ult i64 %q, %b
  br i1 %done, label %out, label %loop
out:
  %wide = zext i32 %more to i64
  ret i64 %wide
}
; -- becomes
define i64 @f(i64 %a, i64 %b) {
entry:
  br label %loop

loop:
  %n = phi i64 [ %a, %entry ], [ %q, %11 ]
  %turns = phi i32 [ 0, %entry ], [ %more, %11 ]
  %0 = or i64 %n, %b
  %1 = freeze i64 %0
  %2 = and i64 %1, -4294967296
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %4, label %9

4:
  %5 = trunc i64 %n to i32
  %6 = trunc i64 %b to i32
  %7 = udiv i32 %5, %6
  %8 = zext i32 %7 to i64
  br label %11

9:
  %10 = call i64 asm "div.u64 $0, $1, $2;", "=l,l,l"(i64 %n, i64 %b)
  br label %11

11:
  %q = phi i64 [ %8, %4 ], [ %10, %9 ]
  %more = add i32 %turns, 1
  %done = icmp ult i64 %q, %b
  br i1 %done, label %out, label %loop

out:
  %wide = zext i32 %more to i64
  ret i64 %wide
}
