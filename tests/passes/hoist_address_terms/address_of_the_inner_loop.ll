; `row + k` is in the inner loop, where nothing is added that changes: the outer loop, which changes `k`, isn't looked at.
define void @f(ptr %a, i32 %row, i32 %n) {
entry:
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %end ]
  br label %loop
loop:
  %i = phi i32 [ 0, %outer ], [ %i.next, %loop ]
  %both = add nsw i32 %row, %k
  %wide = sext i32 %both to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store float 0.0, ptr %p, align 4
  %i.next = add nsw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %end, label %loop
end:
  %k.next = add nsw i32 %k, 1
  %over = icmp eq i32 %k.next, %n
  br i1 %over, label %out, label %outer
out:
  ret void
}
; -- unchanged
