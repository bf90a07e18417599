; The loop stores to shared memory alone, and its body has several blocks.
@near = external addrspace(3) global [0 x float], align 4
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %x = load float, ptr %out, align 4
  br i1 %c, label %then, label %latch
then:
  %t = getelementptr float, ptr addrspacecast (ptr addrspace(3) @near to ptr), i64 %i
  store float %x, ptr %t, align 4
  br label %latch
latch:
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
; -- becomes
@near = external addrspace(3) global [0 x float], align 4

define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
entry:
  %0 = load float, ptr %out, align 4
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %c, label %then, label %latch

then:
  %t = getelementptr float, ptr addrspacecast (ptr addrspace(3) @near to ptr), i64 %i
  store float %0, ptr %t, align 4
  br label %latch

latch:
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}
