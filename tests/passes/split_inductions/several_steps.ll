; SPDX-License-Identifier: Apache-2.0
; A pointer and a number that each iteration moves twice: what is between the two sums stays as it is.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @f(ptr %p, i32 %n, i64 %stride) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = getelementptr i32, ptr %p, i32 %x
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %more, %loop ]
  %q = phi ptr [ %start, %entry ], [ %next, %loop ]
  %i = phi i32 [ %x, %entry ], [ %i.next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %i, ptr %q, align 4
  %middle = getelementptr i32, ptr %q, i64 %stride
  %i.middle = add i32 %n, %i
  store i32 %i.middle, ptr %middle, align 4
  %next = getelementptr i32, ptr %middle, i64 16
  %i.next = add i32 %i.middle, 1
  %more = add i32 %k, 1
  %done = icmp eq i32 %more, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; -- becomes
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @f(ptr %p, i32 %n, i64 %stride) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = getelementptr i32, ptr %p, i32 %x
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %more, %loop ]
  %q.count = phi i64 [ 0, %entry ], [ %q.count.next, %loop ]
  %i.count = phi i32 [ 0, %entry ], [ %i.count.next, %loop ]
  %i = add i32 %x, %i.count
  %q = getelementptr i32, ptr %start, i64 %q.count
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %i, ptr %q, align 4
  %0 = add i64 %q.count, %stride
  %middle = getelementptr i32, ptr %q, i64 %stride
  %1 = add i32 %i.count, %n
  %i.middle = add i32 %n, %i
  store i32 %i.middle, ptr %middle, align 4
  %q.count.next = add i64 %0, 16
  %i.count.next = add i32 %1, 1
  %more = add i32 %k, 1
  %done = icmp eq i32 %more, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}
