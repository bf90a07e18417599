; Shared and constant memory are near.
@tile = internal addrspace(3) global [64 x float] poison
@table = internal addrspace(4) constant [64 x float] zeroinitializer
define void @f(ptr %a, i32 %n) {
entry:
  %left = and i32 %n, 7
  %none = icmp eq i32 %left, 0
  br i1 %none, label %out, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
  %p = getelementptr float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %i
  %v = load float, ptr %p, align 4
  %q = getelementptr float, ptr addrspace(4) @table, i64 %i
  %w = load float, ptr addrspace(4) %q, align 4
  %product = fmul float %v, %w
  store float %product, ptr %a, align 4
  %i.next = add nsw i64 %i, 1
  %turn.next = add i32 %turn, 1
  %over = icmp eq i32 %turn.next, %left
  br i1 %over, label %out, label %loop
out:
  ret void
}
; -- unchanged
