; mapping: lanes:4x1, block: 4
; Lanes take the edge from %inner to %outer one after the other: each keeps what %total gets when it takes it.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %in, i32 %t
  %start = load i32, ptr %from
  br label %outer

outer:
  %total = phi i32 [ %start, %entry ], [ %next, %inner ]
  %round = phi i32 [ 0, %entry ], [ %rounds, %inner ]
  %rounds = add i32 %round, 1
  %last = icmp eq i32 %round, %n
  br i1 %last, label %after, label %inner

inner:
  %at = phi i32 [ %total, %outer ], [ %next, %inner ]
  %next = mul i32 %at, 3
  %stays = icmp ult i32 %next, 1000
  br i1 %stays, label %inner, label %outer

after:
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %total, ptr %to
  ret void
}

; -- becomes
declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>)

define void @lw_group(ptr noalias noundef readonly %launch, ptr noalias noundef align 64 %arena, i32 %group.x, i32 %group.y, i32 %group.z) nounwind {
entry:
  %args = load ptr, ptr %launch, align 8
  %out = load ptr, ptr %args
  %0 = getelementptr inbounds i8, ptr %args, i64 8
  %in = load ptr, ptr %0
  %1 = getelementptr inbounds i8, ptr %args, i64 16
  %n = load i32, ptr %1
  %total.left = alloca <4 x i32>
  %outer.mask = alloca <4 x i1>
  %total = alloca <4 x i32>
  %round = alloca <4 x i32>
  %inner.mask = alloca <4 x i1>
  %at = alloca <4 x i32>
  br label %region.0

region.0:
  br label %units

units:
  br label %unit

unit:
  br label %item.0.lanes

item.0.lanes:
  store <4 x i32> poison, ptr %total.left
  store <4 x i1> zeroinitializer, ptr %outer.mask
  %2 = zext i32 0 to i64
  br label %entry.lanes

entry.lanes:
  %3 = getelementptr i32, ptr %in, i32 0
  %start = load <4 x i32>, ptr %3, align 4
  store <4 x i32> %start, ptr %total
  store <4 x i32> splat (i32 0), ptr %round
  store <4 x i1> splat (i1 true), ptr %outer.mask
  br label %outer.lanes

outer.lanes:
  %4 = load <4 x i1>, ptr %outer.mask
  br label %outer.loop

outer.loop:
  %5 = load <4 x i1>, ptr %outer.mask
  store <4 x i1> zeroinitializer, ptr %outer.mask
  %6 = load <4 x i32>, ptr %total
  %7 = load <4 x i32>, ptr %round
  store <4 x i1> zeroinitializer, ptr %inner.mask
  %8 = add <4 x i32> %7, splat (i32 1)
  %9 = insertelement <4 x i32> poison, i32 %n, i32 0
  %10 = shufflevector <4 x i32> %9, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %11 = icmp eq <4 x i32> %7, %10
  %12 = select <4 x i1> %5, <4 x i1> %11, <4 x i1> zeroinitializer
  %13 = xor <4 x i1> %11, splat (i1 true)
  %14 = select <4 x i1> %5, <4 x i1> %13, <4 x i1> zeroinitializer
  %15 = load <4 x i32>, ptr %total.left
  %16 = select <4 x i1> %12, <4 x i32> %6, <4 x i32> %15
  store <4 x i32> %16, ptr %total.left
  store <4 x i32> %6, ptr %at
  %17 = load <4 x i1>, ptr %inner.mask
  %18 = or <4 x i1> %17, %14
  store <4 x i1> %18, ptr %inner.mask
  %19 = load <4 x i1>, ptr %inner.mask
  %20 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %19)
  br i1 %20, label %inner.lanes, label %nobody

nobody:
  br label %latch.lanes.1

inner.lanes:
  %21 = load <4 x i1>, ptr %inner.mask
  br label %inner.loop

inner.loop:
  %22 = load <4 x i1>, ptr %inner.mask
  store <4 x i1> zeroinitializer, ptr %inner.mask
  %23 = load <4 x i32>, ptr %at
  %24 = mul <4 x i32> %23, splat (i32 3)
  %25 = icmp ult <4 x i32> %24, splat (i32 1000)
  %26 = select <4 x i1> %22, <4 x i1> %25, <4 x i1> zeroinitializer
  %27 = xor <4 x i1> %25, splat (i1 true)
  %28 = select <4 x i1> %22, <4 x i1> %27, <4 x i1> zeroinitializer
  store <4 x i32> %24, ptr %at
  %29 = load <4 x i1>, ptr %inner.mask
  %30 = or <4 x i1> %29, %26
  store <4 x i1> %30, ptr %inner.mask
  %31 = load <4 x i32>, ptr %total
  %32 = select <4 x i1> %28, <4 x i32> %24, <4 x i32> %31
  store <4 x i32> %32, ptr %total
  %33 = load <4 x i32>, ptr %round
  %34 = select <4 x i1> %28, <4 x i32> %8, <4 x i32> %33
  store <4 x i32> %34, ptr %round
  %35 = load <4 x i1>, ptr %outer.mask
  %36 = or <4 x i1> %35, %28
  store <4 x i1> %36, ptr %outer.mask
  br label %latch.lanes

latch.lanes:
  %37 = load <4 x i1>, ptr %inner.mask
  %38 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %37)
  br i1 %38, label %inner.loop, label %inner.left

inner.left:
  br label %latch.lanes.1

latch.lanes.1:
  %39 = load <4 x i1>, ptr %outer.mask
  %40 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %39)
  br i1 %40, label %outer.loop, label %outer.left

outer.left:
  br label %after.lanes

after.lanes:
  %41 = getelementptr i32, ptr %out, i32 0
  %42 = load <4 x i32>, ptr %total.left
  store <4 x i32> %42, ptr %41, align 4
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
