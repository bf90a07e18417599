; SPDX-License-Identifier: Apache-2.0
; A pointer becomes one that is computed from its start, by a count of its elements.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @f(ptr %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = getelementptr i32, ptr %p, i32 %x
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %more, %loop ]
  %q = phi ptr [ %start, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 0, ptr %q, align 4
  %next = getelementptr i32, ptr %q, i64 16
  %more = add i32 %k, 1
  %done = icmp eq i32 %more, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; -- becomes
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @f(ptr %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = getelementptr i32, ptr %p, i32 %x
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %more, %loop ]
  %q.count = phi i64 [ 0, %entry ], [ %q.count.next, %loop ]
  %q = getelementptr i32, ptr %start, i64 %q.count
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 0, ptr %q, align 4
  %q.count.next = add i64 %q.count, 16
  %more = add i32 %k, 1
  %done = icmp eq i32 %more, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}
