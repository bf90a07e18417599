; The counter that stays starts 3 below the one that goes.
define void @f(ptr %a, i32 %first, i32 %turns) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %i.next, %loop ]
  %count = phi i32 [ 3, %entry ], [ %count.next, %loop ]
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
  %0 = sub i32 %turns, 3
  %1 = add i32 %0, %first
  br label %loop

loop:
  %i = phi i32 [ %first, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %a, i32 %i
  store float 0.0, ptr %p, align 4
  %i.next = add i32 %i, 4
  %done = icmp eq i32 %i.next, %1
  br i1 %done, label %out, label %loop

out:
  ret void
}
