; SPDX-License-Identifier: Apache-2.0
; The first loop has no barrier. The threads of a block don't come to the second one together.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @without(ptr %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 0, ptr %q, align 4
  %next = add i32 %i, 16
  %done = icmp sgt i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

define ptx_kernel void @parted(ptr %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 0, ptr %q, align 4
  %next = add i32 %i, 16
  %done = icmp sgt i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  store i32 0, ptr %p, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; -- unchanged
