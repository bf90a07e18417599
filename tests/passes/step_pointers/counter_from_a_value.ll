; The pointer starts as the address of the first turn, and the row after it is one step further.
define void @f(ptr %a, i32 %width, i32 %x, i32 %first, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %at = add nsw i32 %first, %k
  %row = mul nsw i32 %at, %width
  %i = add nsw i32 %row, %x
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store float 0.0, ptr %p, align 4
  %below = add nsw i32 %at, 1
  %row.below = mul nsw i32 %below, %width
  %j = add nsw i32 %row.below, %x
  %wide.below = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %a, i64 %wide.below
  store float 1.0, ptr %q, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- becomes
define void @f(ptr %a, i32 %width, i32 %x, i32 %first, i32 %n) {
entry:
  %0 = sext i32 %width to i64
  %1 = mul i64 %0, 4
  %2 = mul nsw i32 %first, %width
  %3 = add nsw i32 %2, %x
  %4 = sext i32 %3 to i64
  %5 = getelementptr inbounds float, ptr %a, i64 %4
  %6 = mul i64 %1, 0
  br label %loop

loop:
  %7 = phi ptr [ %5, %entry ], [ %9, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %8 = getelementptr i8, ptr %7, i64 %1
  store float 0.0, ptr %7, align 4
  store float 1.0, ptr %8, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  %9 = getelementptr i8, ptr %8, i64 %6
  br i1 %done, label %out, label %loop

out:
  ret void
}
