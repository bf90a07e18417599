; SPDX-License-Identifier: Apache-2.0
; Each thread adds something of its own; or doubles; or adds what is no part of the loop's way round.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @f(ptr %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %more, %loop ]
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %j = phi i32 [ %x, %entry ], [ %twice, %loop ]
  %m = phi i32 [ %x, %entry ], [ %other, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %j, ptr %q, align 4
  %next = add i32 %i, %x
  %twice = mul i32 %j, 2
  %other = add i32 %j, 1
  %more = add i32 %k, 1
  %done = icmp eq i32 %more, %n
  br i1 %done, label %end, label %loop
end:
  store i32 %m, ptr %p, align 4
  ret void
}

; -- unchanged
