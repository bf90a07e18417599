; SPDX-License-Identifier: Apache-2.0
; The distance of two pointers, by which one leads to the other.

define ptx_kernel void @k(ptr %c, ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  store float %x, ptr %c, align 4
  %from = ptrtoint ptr %c to i64
  %to = ptrtoint ptr %a to i64
  %apart = sub i64 %to, %from
  %there = getelementptr i8, ptr %c, i64 %apart
  %y = load float, ptr %there, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; -- unchanged
