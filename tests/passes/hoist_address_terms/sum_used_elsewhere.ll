; The sum is stored, too, and has to be computed anyway.
define void @f(ptr %a, i32 %row, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %i = add nsw i32 %row, %k
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %wide
  store i32 %i, ptr %p, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- unchanged
