; An instruction of 17 isn't worth a pair of registers.
define void @f(ptr %a, i32 %row, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %i = add nsw i32 %row, %k
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  %q1 = getelementptr inbounds i8, ptr %p, i64 4
  store float 0.0, ptr %q1, align 4
  %q2 = getelementptr inbounds i8, ptr %p, i64 8
  store float 0.0, ptr %q2, align 4
  %q3 = getelementptr inbounds i8, ptr %p, i64 12
  store float 0.0, ptr %q3, align 4
  %q4 = getelementptr inbounds i8, ptr %p, i64 16
  store float 0.0, ptr %q4, align 4
  %q5 = getelementptr inbounds i8, ptr %p, i64 20
  store float 0.0, ptr %q5, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- unchanged
