; mapping: lanes:4x1, block: 4
; %count is kept in %count.left for each lane when it leaves, and used from there after the loop.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, ptr %in) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %in, i32 %t
  %start = load i32, ptr %from
  br label %loop

loop:
  %value = phi i32 [ %start, %entry ], [ %halved, %loop ]
  %number = phi i32 [ 0, %entry ], [ %count, %loop ]
  %count = add i32 %number, 1
  %halved = lshr i32 %value, 1
  %done = icmp eq i32 %halved, 0
  br i1 %done, label %after, label %loop

after:
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %count, ptr %to
  ret void
}

; -- becomes
declare i1 @llvm.vector.reduce.and.v4i1(<4 x i1>)

declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>)

define void @lw_group(ptr noalias noundef readonly %launch, ptr noalias noundef align 64 %arena, i32 %group.x, i32 %group.y, i32 %group.z) nounwind {
entry:
  %args = load ptr, ptr %launch, align 8
  %out = load ptr, ptr %args
  %0 = getelementptr inbounds i8, ptr %args, i64 8
  %in = load ptr, ptr %0
  %count.left = alloca <4 x i32>
  %loop.mask = alloca <4 x i1>
  %value = alloca <4 x i32>
  %number = alloca i32
  %loop.rounds = alloca i32
  %loop.staying = alloca <4 x i1>
  br label %region.0

region.0:
  br label %units

units:
  br label %unit

unit:
  br label %item.0.lanes

item.0.lanes:
  store <4 x i32> poison, ptr %count.left
  store <4 x i1> zeroinitializer, ptr %loop.mask
  %1 = zext i32 0 to i64
  br label %entry.lanes

entry.lanes:
  %2 = getelementptr i32, ptr %in, i32 0
  %start = load <4 x i32>, ptr %2, align 4
  store <4 x i32> %start, ptr %value
  store i32 0, ptr %number
  store <4 x i1> splat (i1 true), ptr %loop.mask
  br label %loop.lanes

loop.lanes:
  %3 = load <4 x i1>, ptr %loop.mask
  store i32 0, ptr %loop.rounds
  br label %loop.together

loop.together:
  %4 = load <4 x i32>, ptr %value
  %5 = load i32, ptr %number
  %6 = add i32 %5, 1
  %7 = lshr <4 x i32> %4, splat (i32 1)
  %8 = icmp eq <4 x i32> %7, splat (i32 0)
  %9 = xor <4 x i1> %8, splat (i1 true)
  %10 = call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> %9)
  br i1 %10, label %loop.all, label %loop.parting

loop.all:
  store <4 x i32> %7, ptr %value
  store i32 %6, ptr %number
  br label %loop.together

loop.parting:
  store <4 x i1> zeroinitializer, ptr %loop.mask
  %11 = xor <4 x i1> %8, splat (i1 true)
  %12 = load <4 x i32>, ptr %count.left
  %13 = insertelement <4 x i32> poison, i32 %6, i32 0
  %14 = shufflevector <4 x i32> %13, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %15 = select <4 x i1> %8, <4 x i32> %14, <4 x i32> %12
  store <4 x i32> %15, ptr %count.left
  store <4 x i32> %7, ptr %value
  store i32 %6, ptr %number
  %16 = load <4 x i1>, ptr %loop.mask
  %17 = or <4 x i1> %16, %11
  store <4 x i1> %17, ptr %loop.mask
  %18 = load <4 x i1>, ptr %loop.mask
  %19 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %18)
  br i1 %19, label %loop.loop, label %loop.left

loop.loop:
  %20 = load <4 x i1>, ptr %loop.mask
  store <4 x i1> zeroinitializer, ptr %loop.mask
  %21 = load <4 x i32>, ptr %value
  %22 = load i32, ptr %number
  %23 = add i32 %22, 1
  %24 = lshr <4 x i32> %21, splat (i32 1)
  %25 = icmp eq <4 x i32> %24, splat (i32 0)
  %26 = select <4 x i1> %20, <4 x i1> %25, <4 x i1> zeroinitializer
  %27 = xor <4 x i1> %25, splat (i1 true)
  %28 = select <4 x i1> %20, <4 x i1> %27, <4 x i1> zeroinitializer
  %29 = load <4 x i32>, ptr %count.left
  %30 = insertelement <4 x i32> poison, i32 %23, i32 0
  %31 = shufflevector <4 x i32> %30, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %32 = select <4 x i1> %26, <4 x i32> %31, <4 x i32> %29
  store <4 x i32> %32, ptr %count.left
  store <4 x i32> %24, ptr %value
  store i32 %23, ptr %number
  %33 = load <4 x i1>, ptr %loop.mask
  %34 = or <4 x i1> %33, %28
  store <4 x i1> %34, ptr %loop.mask
  br label %latch.lanes

latch.lanes:
  %35 = load <4 x i1>, ptr %loop.mask
  %36 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %35)
  br i1 %36, label %loop.more, label %loop.left

loop.more:
  %37 = load i32, ptr %loop.rounds
  %38 = add i32 %37, 1
  store i32 %38, ptr %loop.rounds
  %39 = icmp ult i32 %38, 64
  br i1 %39, label %loop.loop, label %loop.late

loop.late:
  %40 = load <4 x i1>, ptr %loop.mask
  store <4 x i1> zeroinitializer, ptr %loop.mask
  %41 = load <4 x i32>, ptr %value
  %42 = load i32, ptr %number
  %43 = add i32 %42, 1
  %44 = lshr <4 x i32> %41, splat (i32 1)
  %45 = icmp eq <4 x i32> %44, splat (i32 0)
  %46 = select <4 x i1> %40, <4 x i1> %45, <4 x i1> zeroinitializer
  %47 = xor <4 x i1> %45, splat (i1 true)
  %48 = select <4 x i1> %40, <4 x i1> %47, <4 x i1> zeroinitializer
  store <4 x i1> %40, ptr %loop.staying
  %49 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %46)
  br i1 %49, label %loop.some, label %loop.on, !prof !{!"branch_weights", i32 1, i32 15}

loop.some:
  %50 = load <4 x i32>, ptr %count.left
  %51 = insertelement <4 x i32> poison, i32 %43, i32 0
  %52 = shufflevector <4 x i32> %51, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %53 = select <4 x i1> %46, <4 x i32> %52, <4 x i32> %50
  store <4 x i32> %53, ptr %count.left
  store <4 x i1> %48, ptr %loop.staying
  br label %loop.on

loop.on:
  %54 = load <4 x i1>, ptr %loop.staying
  store <4 x i32> %44, ptr %value
  store i32 %43, ptr %number
  %55 = load <4 x i1>, ptr %loop.mask
  %56 = or <4 x i1> %55, %54
  store <4 x i1> %56, ptr %loop.mask
  br label %latch.lanes.1

latch.lanes.1:
  %57 = load <4 x i1>, ptr %loop.mask
  %58 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %57)
  br i1 %58, label %loop.late, label %loop.left

loop.left:
  br label %after.lanes

after.lanes:
  %59 = getelementptr i32, ptr %out, i32 0
  %60 = load <4 x i32>, ptr %count.left
  store <4 x i32> %60, ptr %59, align 4
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
