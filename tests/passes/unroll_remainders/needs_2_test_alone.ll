; The last turn does something else, and the copies of a turn have no comparison.
define void @f(ptr %a, i32 %n) {
entry:
  %left = and i32 %n, 7
  %none = icmp eq i32 %left, 0
  br i1 %none, label %out, label %loop
loop:
  %i = phi i64 [ 5, %entry ], [ %i.next, %loop ]
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %p, align 4
  %i.next = add nsw i64 %i, 1
  %turn.next = add i32 %turn, 1
  %over = icmp eq i32 %turn.next, %left
  %w = select i1 %over, float 0.0, float %v
  store float %w, ptr %p, align 4
  br i1 %over, label %out, label %loop
out:
  ret void
}
; -- unchanged
