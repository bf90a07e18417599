; The index in between comes from memory, and may be another one at each turn.
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr i64, ptr %out, i64 %i
  %k = load i64, ptr %p, align 8
  %q = getelementptr float, ptr %in, i64 %k
  %x = load float, ptr %q, align 4
  store float %x, ptr %out, align 4
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
; -- unchanged
