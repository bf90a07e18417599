; The branch that enters the loop may pass it by: the new end is computed in a block of its own.
define void @f(ptr %a, i32 %first, i32 %turns) {
entry:
  %any = icmp sgt i32 %turns, 0
  br i1 %any, label %loop, label %out
loop:
  %i = phi i32 [ %first, %entry ], [ %i.next, %loop ]
  %count = phi i32 [ 0, %entry ], [ %count.next, %loop ]
  %p = getelementptr float, ptr %a, i32 %i
  store float 0.0, ptr %p, align 4
  %i.next = add nsw i32 %i, 4
  %count.next = add i32 %count, 4
  %done = icmp eq i32 %count.next, %turns
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- becomes
define void @f(ptr %a, i32 %first, i32 %turns) {
entry:
  %any = icmp sgt i32 %turns, 0
  br i1 %any, label %0, label %out

0:
  %1 = add i32 %turns, %first
  br label %loop

loop:
  %i = phi i32 [ %first, %0 ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %a, i32 %i
  store float 0.0, ptr %p, align 4
  %i.next = add i32 %i, 4
  %done = icmp eq i32 %i.next, %1
  br i1 %done, label %out, label %loop

out:
  ret void
}
