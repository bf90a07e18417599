; At a step of 4 and of 1, the distances from the start differ.
define void @f(ptr %a, i32 %first, i32 %turns) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %i.next, %loop ]
  %count = phi i32 [ 0, %entry ], [ %count.next, %loop ]
  %p = getelementptr float, ptr %a, i32 %i
  store float 0.0, ptr %p, align 4
  %i.next = add nsw i32 %i, 4
  %count.next = add i32 %count, 1
  %done = icmp eq i32 %count.next, %turns
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- unchanged
