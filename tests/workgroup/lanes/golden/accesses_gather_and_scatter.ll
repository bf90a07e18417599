; mapping: lanes:4x1, block: 4
; An address that is loaded has no known step.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, ptr %in) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %in, i32 %t
  %index = load i32, ptr %from
  %there = getelementptr i32, ptr %in, i32 %index
  %value = load i32, ptr %there
  %to = getelementptr i32, ptr %out, i32 %index
  store i32 %value, ptr %to
  ret void
}

; -- becomes
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)

declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)

define void @lw_group(ptr noalias noundef readonly %launch, ptr noalias noundef align 64 %arena, i32 %group.x, i32 %group.y, i32 %group.z) nounwind {
entry:
  %args = load ptr, ptr %launch, align 8
  %out = load ptr, ptr %args
  %0 = getelementptr inbounds i8, ptr %args, i64 8
  %in = load ptr, ptr %0
  br label %region.0

region.0:
  br label %units

units:
  br label %unit

unit:
  br label %item.0.lanes

item.0.lanes:
  %1 = zext i32 0 to i64
  br label %entry.lanes

entry.lanes:
  %2 = getelementptr i32, ptr %in, i32 0
  %index = load <4 x i32>, ptr %2, align 4
  %3 = insertelement <4 x ptr> poison, ptr %in, i32 0
  %4 = shufflevector <4 x ptr> %3, <4 x ptr> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %5 = getelementptr i32, <4 x ptr> %4, <4 x i32> %index
  %6 = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %5, i32 4, <4 x i1> splat (i1 true), <4 x i32> poison)
  %7 = insertelement <4 x ptr> poison, ptr %out, i32 0
  %8 = shufflevector <4 x ptr> %7, <4 x ptr> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %9 = getelementptr i32, <4 x ptr> %8, <4 x i32> %index
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %6, <4 x ptr> %9, i32 4, <4 x i1> splat (i1 true))
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
