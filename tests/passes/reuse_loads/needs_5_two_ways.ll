; Two ways lead from the edge before the loop to the load: on one of them, a value in its address might be another one.
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %i.next, %latch ]
  br i1 %c, label %then, label %latch
then:
  store float 0.0, ptr %out, align 4
  br label %latch
latch:
  %p = getelementptr float, ptr %in, i64 %i
  %x = load float, ptr %p, align 4
  %q = getelementptr float, ptr %p, i64 1
  %y = load float, ptr %q, align 4
  %sum = fadd float %x, %y
  store float %sum, ptr %out, align 4
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
; -- unchanged
