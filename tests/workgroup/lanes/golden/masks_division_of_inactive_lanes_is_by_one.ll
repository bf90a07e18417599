; mapping: lanes:4x1, block: 4
; A lane that doesn't come to %divide may have 0 for a divisor: with masks, the divisor is at least 1.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %in, i32 %t
  %value = load i32, ptr %from
  %is = icmp ne i32 %value, 0
  br i1 %is, label %divide, label %join

divide:
  %quotient = udiv i32 %n, %value
  br label %join

join:
  %result = phi i32 [ %quotient, %divide ], [ -1, %entry ]
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %result, ptr %to
  ret void
}

; -- becomes
declare i1 @llvm.vector.reduce.and.v4i1(<4 x i1>)

declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>)

declare <4 x i32> @llvm.umax.v4i32(<4 x i32>, <4 x i32>)

define void @lw_group(ptr noalias noundef readonly %launch, ptr noalias noundef align 64 %arena, i32 %group.x, i32 %group.y, i32 %group.z) nounwind !prof !{!"function_entry_count", i64 1000} {
entry:
  %args = load ptr, ptr %launch, align 8
  %out = load ptr, ptr %args
  %0 = getelementptr inbounds i8, ptr %args, i64 8
  %in = load ptr, ptr %0
  %1 = getelementptr inbounds i8, ptr %args, i64 16
  %n = load i32, ptr %1
  %result = alloca <4 x i32>
  %result.1 = alloca <4 x i32>
  br label %region.0

region.0:
  br label %units

units:
  br label %unit

unit:
  br label %item.0.lanes

item.0.lanes:
  %2 = zext i32 0 to i64
  br label %entry.lanes

entry.lanes:
  %3 = getelementptr i32, ptr %in, i32 0
  %value = load <4 x i32>, ptr %3, align 4
  %4 = icmp ne <4 x i32> %value, splat (i32 0)
  %5 = call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> %4)
  br i1 %5, label %entry.all, label %entry.not.all

entry.not.all:
  %6 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %4)
  br i1 %6, label %unit.masked, label %entry.none, !prof !{!"branch_weights", i32 1, i32 2000}

entry.all:
  br label %divide.lanes

entry.none:
  store <4 x i32> splat (i32 -1), ptr %result
  br label %join.lanes

divide.lanes:
  %7 = icmp eq <4 x i32> %value, splat (i32 0)
  %8 = select <4 x i1> %7, <4 x i32> splat (i32 1), <4 x i32> %value
  %9 = insertelement <4 x i32> poison, i32 %n, i32 0
  %10 = shufflevector <4 x i32> %9, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %11 = udiv <4 x i32> %10, %8
  store <4 x i32> %11, ptr %result
  br label %join.lanes

join.lanes:
  %12 = load <4 x i32>, ptr %result
  %13 = getelementptr i32, ptr %out, i32 0
  store <4 x i32> %12, ptr %13, align 4
  br label %lanes.end

lanes.end:
  br label %unit.done

unit.masked:
  br label %unit.1

unit.1:
  br label %item.0.lanes.1

item.0.lanes.1:
  store <4 x i32> poison, ptr %result.1
  %14 = zext i32 0 to i64
  br label %entry.lanes.1

entry.lanes.1:
  %15 = getelementptr i32, ptr %in, i32 0
  %value.1 = load <4 x i32>, ptr %15, align 4
  %16 = icmp ne <4 x i32> %value.1, splat (i32 0)
  %17 = xor <4 x i1> %16, splat (i1 true)
  %18 = load <4 x i32>, ptr %result.1
  %19 = select <4 x i1> %17, <4 x i32> splat (i32 -1), <4 x i32> %18
  store <4 x i32> %19, ptr %result.1
  br label %divide.lanes.1

divide.lanes.1:
  %20 = icmp eq <4 x i32> %value.1, splat (i32 0)
  %21 = select <4 x i1> %20, <4 x i32> splat (i32 1), <4 x i32> %value.1
  %22 = freeze <4 x i32> %21
  %23 = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %22, <4 x i32> splat (i32 1))
  %24 = insertelement <4 x i32> poison, i32 %n, i32 0
  %25 = shufflevector <4 x i32> %24, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %26 = udiv <4 x i32> %25, %23
  %27 = load <4 x i32>, ptr %result.1
  %28 = select <4 x i1> %16, <4 x i32> %26, <4 x i32> %27
  store <4 x i32> %28, ptr %result.1
  br label %join.lanes.1

join.lanes.1:
  %29 = load <4 x i32>, ptr %result.1
  %30 = getelementptr i32, ptr %out, i32 0
  store <4 x i32> %29, ptr %30, align 4
  br label %lanes.end.1

lanes.end.1:
  br label %unit.done

unit.done:
  br label %lanes.done

lanes.done:
  ret void
}

!0 = distinct !{}
!lanewise.vectors = !{}
