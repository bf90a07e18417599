; The terms of a load cancel each other, and it would be loaded once more.
define void @f(ptr %a, i32 %width, i32 %x, i32 %first, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %v = load volatile i32, ptr %a, align 4
  %at = add nsw i32 %first, %k
  %row = mul nsw i32 %at, %width
  %i = add nsw i32 %row, %v
  %wide = sext i32 %i to i64
  %v.wide = sext i32 %v to i64
  %d = sub i64 %wide, %v.wide
  %p = getelementptr inbounds float, ptr %a, i64 %d
  store float 0.0, ptr %p, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- unchanged
