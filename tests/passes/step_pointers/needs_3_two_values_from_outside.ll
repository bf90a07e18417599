; A counter, and two values from outside.
define void @f(ptr %a, i32 %width, i32 %x, i32 %first, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %once = add nsw i32 %first, %k
  %at = add nsw i32 %once, %x
  %row = mul nsw i32 %at, %width
  %wide = sext i32 %row to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store float 0.0, ptr %p, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- unchanged
