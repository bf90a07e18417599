define float @f(ptr %a, i32 %radius) {
entry:
  %twice = shl i32 %radius, 1
  %left = and i32 %twice, 6
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %p, align 4
  %sum.next = fadd float %sum, %v
  %i.next = add nsw i64 %i, 1
  %turn.next = add i32 %turn, 1
  %over = icmp eq i32 %turn, %left
  br i1 %over, label %out, label %loop
out:
  ret float %sum.next
}
; -- becomes
define float @f(ptr %a, i32 %radius) {
entry:
  %twice = shl i32 %radius, 1
  %left = and i32 %twice, 6
  %0 = icmp ugt i32 %left, 2
  br i1 %0, label %1, label %loop

1:
  %2 = getelementptr float, ptr %a, i64 0
  %3 = load float, ptr %2, align 4
  %4 = fadd float 0.0, %3
  %5 = add nsw i64 0, 1
  %6 = getelementptr float, ptr %a, i64 %5
  %7 = load float, ptr %6, align 4
  %8 = fadd float %4, %7
  %9 = add nsw i64 %5, 1
  %10 = getelementptr float, ptr %a, i64 %9
  %11 = load float, ptr %10, align 4
  %12 = fadd float %8, %11
  %13 = add nsw i64 %9, 1
  %14 = getelementptr float, ptr %a, i64 %13
  %15 = load float, ptr %14, align 4
  %16 = fadd float %12, %15
  %17 = add nsw i64 %13, 1
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ], [ %17, %1 ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ], [ %16, %1 ]
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ], [ 4, %1 ]
  %p = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %p, align 4
  %sum.next = fadd float %sum, %v
  %i.next = add nsw i64 %i, 1
  %turn.next = add i32 %turn, 1
  %over = icmp eq i32 %turn, %left
  br i1 %over, label %out, label %loop

out:
  ret float %sum.next
}
