; SPDX-License-Identifier: Apache-2.0
; The counter is the same for all threads; or no integer of 32 or 64 bits.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @f(ptr %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %narrow = trunc i32 %x to i16
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %more, %loop ]
  %i = phi i16 [ %narrow, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %q = getelementptr i32, ptr %p, i16 %i
  store i32 0, ptr %q, align 4
  %next = add i16 %i, 16
  %more = add i32 %k, 1
  %done = icmp eq i32 %more, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; -- unchanged
