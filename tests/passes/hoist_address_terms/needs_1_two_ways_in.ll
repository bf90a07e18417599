; The loop is entered from two blocks: there is no place before it.
define void @f(ptr %a, i32 %row, i32 %n, i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  br label %loop
right:
  br label %loop
loop:
  %k = phi i32 [ 0, %left ], [ 1, %right ], [ %k.next, %loop ]
  %i = add nsw i32 %row, %k
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
