; SPDX-License-Identifier: Apache-2.0
; The inner pointer starts at the outer one, which is taken apart first: then at the sum of the outer one's parts.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @f(ptr %p, i32 %n, i64 %s) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = getelementptr i32, ptr %p, i32 %x
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %kmore, %latch ]
  %q = phi ptr [ %start, %entry ], [ %qnext, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %jmore, %inner ]
  %r = phi ptr [ %q, %outer ], [ %rnext, %inner ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %j, ptr %r, align 4
  %rnext = getelementptr i32, ptr %r, i64 16
  %jmore = add i32 %j, 1
  %jd = icmp eq i32 %jmore, %n
  br i1 %jd, label %latch, label %inner
latch:
  %qnext = getelementptr i32, ptr %q, i64 %s
  %kmore = add i32 %k, 1
  %kd = icmp eq i32 %kmore, %n
  br i1 %kd, label %end, label %outer
end:
  ret void
}

; -- becomes
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @f(ptr %p, i32 %n, i64 %s) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = getelementptr i32, ptr %p, i32 %x
  br label %outer

outer:
  %k = phi i32 [ 0, %entry ], [ %kmore, %latch ]
  %q.count = phi i64 [ 0, %entry ], [ %q.count.next, %latch ]
  %q = getelementptr i32, ptr %start, i64 %q.count
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %jmore, %inner ]
  %r.count = phi i64 [ 0, %outer ], [ %r.count.next, %inner ]
  %r = getelementptr i32, ptr %q, i64 %r.count
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %j, ptr %r, align 4
  %r.count.next = add i64 %r.count, 16
  %jmore = add i32 %j, 1
  %jd = icmp eq i32 %jmore, %n
  br i1 %jd, label %latch, label %inner

latch:
  %q.count.next = add i64 %q.count, %s
  %kmore = add i32 %k, 1
  %kd = icmp eq i32 %kmore, %n
  br i1 %kd, label %end, label %outer

end:
  ret void
}
