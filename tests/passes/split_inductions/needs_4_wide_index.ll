; SPDX-License-Identifier: Apache-2.0
; Indices of 32 bits are extended each by itself; and those of different types count different things.

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
  %r = phi ptr [ %start, %entry ], [ %r.next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 0, ptr %q, align 4
  %next = getelementptr i32, ptr %q, i32 %n
  store i32 1, ptr %r, align 4
  %r.middle = getelementptr i32, ptr %r, i64 4
  %r.next = getelementptr i8, ptr %r.middle, i64 4
  %more = add i32 %k, 1
  %done = icmp eq i32 %more, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; -- unchanged
