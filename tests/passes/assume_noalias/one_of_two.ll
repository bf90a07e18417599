; SPDX-License-Identifier: Apache-2.0
; An address that is one of two, and one that is computed in the loop of what stays the same.

define ptx_kernel void @k(ptr %c, ptr %d, ptr %a, i1 %b, i64 %j, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  %y = load float, ptr %c, align 4
  %sum = fadd float %x, %y
  %to = select i1 %b, ptr %c, ptr %d
  %q = getelementptr float, ptr %to, i64 %j
  store float %sum, ptr %q, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; -- becomes
define ptx_kernel void @k(ptr noalias %c, ptr noalias %d, ptr %a, i1 %b, i64 %j, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  %y = load float, ptr %c, align 4
  %sum = fadd float %x, %y
  %to = select i1 %b, ptr %c, ptr %d
  %q = getelementptr float, ptr %to, i64 %j
  store float %sum, ptr %q, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}
