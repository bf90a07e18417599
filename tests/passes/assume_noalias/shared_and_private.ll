; SPDX-License-Identifier: Apache-2.0
; Shared and constant memory and variables of the work-item are nobody else's.

@tile = internal addrspace(3) global [64 x float] poison
@table = addrspace(4) constant [64 x float] zeroinitializer
define ptx_kernel void @k(ptr %c, ptr byval({ float }) %options, i64 %n) {
entry:
  %own = alloca float, align 4
  store float 0.0, ptr %own, align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr [64 x float], ptr addrspace(3) @tile, i64 0, i64 %i
  %x = load float, ptr addrspace(3) %p, align 4
  %q = getelementptr [64 x float], ptr addrspace(4) @table, i64 0, i64 %i
  %y = load float, ptr addrspace(4) %q, align 4
  %z = load float, ptr %own, align 4
  %f = load float, ptr %options, align 4
  store float %x, ptr %c, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; -- becomes
@tile = internal addrspace(3) global [64 x float] poison
@table = addrspace(4) constant [64 x float] zeroinitializer

define ptx_kernel void @k(ptr noalias %c, ptr byval({float}) %options, i64 %n) {
entry:
  %own = alloca float, align 4
  store float 0.0, ptr %own, align 4
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr [64 x float], ptr addrspace(3) @tile, i64 0, i64 %i
  %x = load float, ptr addrspace(3) %p, align 4
  %q = getelementptr [64 x float], ptr addrspace(4) @table, i64 0, i64 %i
  %y = load float, ptr addrspace(4) %q, align 4
  %z = load float, ptr %own, align 4
  %f = load float, ptr %options, align 4
  store float %x, ptr %c, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}
