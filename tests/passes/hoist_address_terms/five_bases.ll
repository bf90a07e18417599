; Five pairs of registers are too many.
define void @f(ptr %a0, ptr %a1, ptr %a2, ptr %a3, ptr %a4, i32 %row, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %i = add nsw i32 %row, %k
  %wide = sext i32 %i to i64
  %p0 = getelementptr inbounds float, ptr %a0, i64 %wide
  store float 0.0, ptr %p0, align 4
  %p1 = getelementptr inbounds float, ptr %a1, i64 %wide
  store float 0.0, ptr %p1, align 4
  %p2 = getelementptr inbounds float, ptr %a2, i64 %wide
  store float 0.0, ptr %p2, align 4
  %p3 = getelementptr inbounds float, ptr %a3, i64 %wide
  store float 0.0, ptr %p3, align 4
  %p4 = getelementptr inbounds float, ptr %a4, i64 %wide
  store float 0.0, ptr %p4, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- unchanged
