; mapping: lanes:4x1, block: 4
; All lanes take the same edge of a branch on an argument: it stays, and nothing is masked.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %then, label %join

then:
  %sum = add i32 %t, %n
  br label %join

join:
  %result = phi i32 [ %sum, %then ], [ %t, %entry ]
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %result, ptr %to
  ret void
}

; -- becomes
define void @lw_group(ptr noalias noundef readonly %launch, ptr noalias noundef align 64 %arena, i32 %group.x, i32 %group.y, i32 %group.z) nounwind {
entry:
  %args = load ptr, ptr %launch, align 8
  %out = load ptr, ptr %args
  %0 = getelementptr inbounds i8, ptr %args, i64 8
  %n = load i32, ptr %0
  %result = alloca i32
  br label %region.0

region.0:
  %some = icmp sgt i32 %n, 0
  br label %units

units:
  br label %unit

unit:
  br label %item.0.lanes

item.0.lanes:
  %1 = zext i32 0 to i64
  br label %entry.lanes

entry.lanes:
  br i1 %some, label %entry.to, label %entry.to.1

entry.to:
  br label %then.lanes

entry.to.1:
  store i32 0, ptr %result
  br label %join.lanes

then.lanes:
  %2 = add i32 0, %n
  store i32 %2, ptr %result
  br label %join.lanes

join.lanes:
  %3 = load i32, ptr %result
  %4 = getelementptr i32, ptr %out, i32 0
  %5 = insertelement <4 x i32> poison, i32 %3, i32 0
  %6 = shufflevector <4 x i32> %5, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %7 = add <4 x i32> %6, <i32 0, i32 1, i32 2, i32 3>
  store <4 x i32> %7, ptr %4, align 4
  br label %lanes.end

lanes.end:
  br label %unit.done

unit.done:
  br label %lanes.done

lanes.done:
  ret void
}

!0 = distinct !{}
!lanewise.vectors = !{}
