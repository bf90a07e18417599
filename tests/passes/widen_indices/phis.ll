; SPDX-License-Identifier: Apache-2.0
; What a block begins with is extended behind all of its phis; a sum of i8 is one of i64, too.

define i64 @f(i8 %a, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %following, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %at = add nsw i32 %i, %n
  %wide = sext i32 %at to i64
  %more = add i64 %sum, %wide
  %following = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %following, %n
  br i1 %again, label %loop, label %done

done:
  %b = sub nsw i8 5, %a
  %c = sext i8 %b to i64
  %r = add i64 %more, %c
  ret i64 %r
}

; -- becomes
define i64 @f(i8 %a, i32 %n) {
entry:
  %0 = sext i8 %a to i64
  %1 = sext i32 %n to i64
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %following, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %2 = sext i32 %i to i64
  %at = add nsw i32 %i, %n
  %3 = add nsw i64 %2, %1
  %more = add i64 %sum, %3
  %following = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %following, %n
  br i1 %again, label %loop, label %done

done:
  %b = sub nsw i8 5, %a
  %4 = sub nsw i64 5, %0
  %r = add i64 %more, %4
  ret i64 %r
}
