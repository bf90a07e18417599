; 600 turns of 9 operations each.
define i32 @f(ptr %in, i64 %n) {
entry:
  %a = alloca [4 x i32], align 4
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds i32, ptr %in, i64 %k
  %v = load i32, ptr %from, align 4
  %part = and i64 %k, 3
  %to = getelementptr inbounds [4 x i32], ptr %a, i64 0, i64 %part
  store i32 %v, ptr %to, align 4
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 600
  br i1 %done, label %out, label %loop
out:
  %last = getelementptr inbounds i8, ptr %a, i64 12
  %w = load i32, ptr %last, align 4
  ret i32 %w
}
; -- unchanged
