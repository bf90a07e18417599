; SPDX-License-Identifier: Apache-2.0
; A pointer from a number.

define ptx_kernel void @k(ptr %c, i64 %where, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = inttoptr i64 %where to ptr
  %x = load float, ptr %a, align 4
  store float %x, ptr %c, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; -- unchanged
