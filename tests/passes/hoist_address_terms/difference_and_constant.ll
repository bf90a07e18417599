; `row - k + 1`: the constant stays with the address, where an access adds it for nothing.
define void @f(ptr %a, i32 %row, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %next = add nsw i32 %row, 1
  %i = sub nsw i32 %next, %k
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store float 0.0, ptr %p, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- becomes
define void @f(ptr %a, i32 %row, i32 %n) {
entry:
  %0 = sext i32 %row to i64
  %1 = getelementptr [4 x i8], ptr %a, i64 %0
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %2 = sext i32 %k to i64
  %3 = mul i64 %2, -4
  %4 = getelementptr i8, ptr %1, i64 %3
  %p = getelementptr i8, ptr %4, i64 4
  store float 0.0, ptr %p, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop

out:
  ret void
}
