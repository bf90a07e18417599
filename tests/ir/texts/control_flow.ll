; Run: python -m pytest tests/ir/test_round_trip.py
define i32 @loop(i32 %n, ptr %p) {
entry:
  %positive = icmp sgt i32 %n, 0
  br i1 %positive, label %body, label %exit, !prof !0

body:                                             ; preds = %body, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %more = add i32 %sum, %i
  %next = add nsw i32 %i, 1
  %later = mul i32 %i, %i
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %exit, !llvm.loop !1

exit:
  %result = phi i32 [ 0, %entry ], [ %more, %body ]
  ret i32 %result
}

define i32 @switches(i64 %x, i8 %y) {
  switch i64 %x, label %default [
    i64 0, label %2
    i64 -9223372036854775808, label %default
    i64 1, label %2
    i64 2, label %"with space"
  ], !prof !2

2:                                                ; preds = %0, %0
  %3 = phi i32 [ 1, %0 ], [ 1, %0 ]
  switch i8 %y, label %"with space" [
  ]

"with space":
  %4 = phi i32 [ 4, %0 ], [ %3, %2 ]
  br label %5

5:
  ret i32 %4

default:
  unreachable
}

define void @unreached(i1 %c) {
  ret void

never:
  %x = add i32 %y, 1
  %y = add i32 %x, 1
  br i1 %c, label %never, label %empty_phi

empty_phi:
  %z = phi i32 [ %y, %never ]
  br label %empty_phi.next

empty_phi.next:
  unreachable

no_predecessor:
  %w = phi i32 
  ret void
}

!0 = !{!"branch_weights", i32 2000, i32 1}
!1 = distinct !{!1, !3, !4}
!2 = !{!"branch_weights", i32 1, i32 2, i32 3, i32 4, i32 5}
!3 = !{!"llvm.loop.mustprogress"}
!4 = !{!"llvm.loop.unroll.count", i32 4}
