; Two edges lead from one block into the loop, and one from the block that is made before it.
define void @f(ptr %a, i32 %row, i32 %n) {
entry:
  switch i32 %n, label %out [
    i32 1, label %loop
    i32 2, label %loop
  ]
loop:
  %k = phi i32 [ 0, %entry ], [ 0, %entry ], [ %k.next, %loop ]
  %i = add nsw i32 %row, %k
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
  switch i32 %n, label %out [
    i32 1, label %0
    i32 2, label %0
  ]

0:
  %1 = sext i32 %row to i64
  %2 = getelementptr [4 x i8], ptr %a, i64 %1
  br label %loop

loop:
  %k = phi i32 [ 0, %0 ], [ %k.next, %loop ]
  %3 = sext i32 %k to i64
  %p = getelementptr [4 x i8], ptr %2, i64 %3
  store float 0.0, ptr %p, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop

out:
  ret void
}
