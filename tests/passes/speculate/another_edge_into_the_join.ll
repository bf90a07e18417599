; The phi keeps its other edges.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @f(ptr %out, i32 %n) {
first:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %none = icmp eq i32 %n, 0
  br i1 %none, label %join, label %entry
entry:
  %odd = trunc i32 %t to i1
  br i1 %odd, label %arm, label %join
arm:
  %g = add i32 %t, 5
  br label %join
join:
  %w = phi i32 [ %g, %arm ], [ %t, %entry ], [ 9, %first ]
  store i32 %w, ptr %out, align 4
  ret void
}
; -- becomes
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @f(ptr %out, i32 %n) {
first:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %none = icmp eq i32 %n, 0
  br i1 %none, label %join, label %entry

entry:
  %odd = trunc i32 %t to i1
  %g = add i32 %t, 5
  %0 = select i1 %odd, i32 %g, i32 %t
  br label %join

join:
  %w = phi i32 [ 9, %first ], [ %0, %entry ]
  store i32 %w, ptr %out, align 4
  ret void
}
