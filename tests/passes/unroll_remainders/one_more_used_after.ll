; The counter is compared before it is increased, so that the bound 3 is of four turns.
define i64 @f(ptr %a, i32 %n) {
entry:
  %left = and i32 %n, 7
  br label %loop
loop:
  %i = phi i64 [ 5, %entry ], [ %i.next, %loop ]
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p, align 8
  %i.next = add nsw i64 %i, %v
  %turn.next = add i32 %turn, 1
  %more = icmp ne i32 %turn, %left
  br i1 %more, label %loop, label %out
out:
  %last = zext i32 %turn to i64
  %next = zext i32 %turn.next to i64
  %sum = add i64 %last, %next
  %both = add i64 %sum, %i
  ret i64 %both
}
; -- becomes
define i64 @f(ptr %a, i32 %n) {
entry:
  %left = and i32 %n, 7
  %0 = icmp ugt i32 %left, 2
  br i1 %0, label %1, label %loop

1:
  %2 = getelementptr i64, ptr %a, i64 5
  %3 = load i64, ptr %2, align 8
  %4 = add nsw i64 5, %3
  %5 = getelementptr i64, ptr %a, i64 %4
  %6 = load i64, ptr %5, align 8
  %7 = add nsw i64 %4, %6
  %8 = getelementptr i64, ptr %a, i64 %7
  %9 = load i64, ptr %8, align 8
  %10 = add nsw i64 %7, %9
  %11 = getelementptr i64, ptr %a, i64 %10
  %12 = load i64, ptr %11, align 8
  %13 = add nsw i64 %10, %12
  %14 = icmp eq i32 %left, 3
  br i1 %14, label %15, label %loop

loop:
  %i = phi i64 [ 5, %entry ], [ %i.next, %loop ], [ %13, %1 ]
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ], [ 4, %1 ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p, align 8
  %i.next = add nsw i64 %i, %v
  %turn.next = add i32 %turn, 1
  %more = icmp ne i32 %turn, %left
  br i1 %more, label %loop, label %15

15:
  %16 = phi i64 [ %i, %loop ], [ %10, %1 ]
  %17 = phi i32 [ %turn, %loop ], [ 3, %1 ]
  %18 = phi i32 [ %turn.next, %loop ], [ 4, %1 ]
  br label %out

out:
  %last = zext i32 %17 to i64
  %next = zext i32 %18 to i64
  %sum = add i64 %last, %next
  %both = add i64 %sum, %16
  ret i64 %both
}
