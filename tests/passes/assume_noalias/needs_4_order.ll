; SPDX-License-Identifier: Apache-2.0
; Work-items may see what others have stored.

define ptx_kernel void @k(ptr %c, ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  %y = load float, ptr %c, align 4
  %sum = fadd float %x, %y
  store float %sum, ptr %c, align 4
  fence acq_rel
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; -- unchanged
