; SPDX-License-Identifier: Apache-2.0
; Through one of them behind the loop only; and a third that is declared already.

define ptx_kernel void @k(ptr %c, ptr %a, ptr %d, ptr noalias %e, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  %y = load float, ptr %c, align 4
  %sum = fadd float %x, %y
  store float %sum, ptr %c, align 4
  store float %sum, ptr %e, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  store float 1.0, ptr %d, align 4
  ret void
}

; -- becomes
define ptx_kernel void @k(ptr noalias %c, ptr %a, ptr noalias %d, ptr noalias %e, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  %y = load float, ptr %c, align 4
  %sum = fadd float %x, %y
  store float %sum, ptr %c, align 4
  store float %sum, ptr %e, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  store float 1.0, ptr %d, align 4
  ret void
}
