; What is called before the load may end the thread.
define ptx_kernel void @f(ptr %out, ptr noalias readonly %in, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  call void @perhaps_ends()
  %x = load float, ptr %in, align 4
  store float %x, ptr %out, align 4
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
declare void @perhaps_ends()
; -- unchanged
