; The terms of the first address aren't negative, or it is poison. The second one, of the same base, may be before it.
define void @f(ptr %a, i32 %row, i32 %n, i1 %c) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %end ]
  br i1 %c, label %left, label %right
left:
  %i = add nuw nsw i32 %row, %k
  %wide = zext nneg i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store float 0.0, ptr %p, align 4
  br label %end
right:
  %j = add nsw i32 %row, %k
  %wide.2 = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %a, i64 %wide.2
  store float 1.0, ptr %q, align 4
  br label %end
end:
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- becomes
define void @f(ptr %a, i32 %row, i32 %n, i1 %c) {
entry:
  %0 = sext i32 %row to i64
  %1 = getelementptr [4 x i8], ptr %a, i64 %0
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %end ]
  br i1 %c, label %left, label %right

left:
  %2 = zext nneg i32 %k to i64
  %p = getelementptr [4 x i8], ptr %1, i64 %2
  store float 0.0, ptr %p, align 4
  br label %end

right:
  %3 = sext i32 %k to i64
  %q = getelementptr [4 x i8], ptr %1, i64 %3
  store float 1.0, ptr %q, align 4
  br label %end

end:
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop

out:
  ret void
}
