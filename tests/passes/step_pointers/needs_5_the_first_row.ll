; The row below is accessed by a turn that doesn't access the first row.
define void @f(ptr %a, i32 %width, i32 %x, i32 %first, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %next ]
  %at = add nsw i32 %first, %k
  %below = add nsw i32 %at, 1
  %row.below = mul nsw i32 %below, %width
  %j = add nsw i32 %row.below, %x
  %wide.below = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %a, i64 %wide.below
  store float 1.0, ptr %q, align 4
  %c = icmp sgt i32 %k, %first
  br i1 %c, label %out, label %next
next:
  %row = mul nsw i32 %at, %width
  %i = add nsw i32 %row, %x
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store float 0.0, ptr %p, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- unchanged
