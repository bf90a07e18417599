; The loop inside turns as often as data says.
define i32 @f(ptr %in, i32 %n) {
entry:
  %a = alloca [4 x i32], align 4
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %after ]
  %to = getelementptr inbounds [4 x i32], ptr %a, i64 0, i64 %k
  br label %inner
inner:
  %j = phi i32 [ 0, %loop ], [ %j.next, %inner ]
  %j.next = add nuw nsw i32 %j, 3
  %j.done = icmp uge i32 %j.next, %n
  br i1 %j.done, label %after, label %inner
after:
  store i32 %j.next, ptr %to, align 4
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 4
  br i1 %done, label %out, label %loop
out:
  %w = load i32, ptr %a, align 4
  ret i32 %w
}
; -- unchanged
