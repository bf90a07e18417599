; Both `k` and what is loaded change.
define void @f(ptr %a, i32 %row, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %v = load i32, ptr %a, align 4
  %first = add nsw i32 %row, %k
  %i = add nsw i32 %first, %v
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %wide
  store i32 0, ptr %p, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- unchanged
