; SPDX-License-Identifier: Apache-2.0
; A variable of the program, whose memory an array may be.

@table = addrspace(1) global [64 x float] zeroinitializer
define ptx_kernel void @k(ptr %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr [64 x float], ptr addrspace(1) @table, i64 0, i64 %i
  %x = load float, ptr addrspace(1) %p, align 4
  store float %x, ptr %c, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; -- unchanged
