; A loop that never comes to the load must not load before it.
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %t = icmp eq i64 %i, %first
  br i1 %t, label %then, label %latch
then:
  %x = load float, ptr %in, align 4
  store float %x, ptr %out, align 4
  br label %latch
latch:
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
; -- unchanged
