; SPDX-License-Identifier: Apache-2.0
; A call that reads memory.

define ptx_kernel void @k(ptr %c, ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  %y = load float, ptr %c, align 4
  %sum = fadd float %x, %y
  %t = call float @fetched(i64 %i)
  store float %t, ptr %c, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
declare float @fetched(i64)

; -- unchanged
