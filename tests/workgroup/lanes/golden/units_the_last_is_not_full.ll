; mapping: lanes:4x1, block: 7
; The last unit has three work-items, and a mask of its own.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %square = mul i32 %t, %t
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %square, ptr %to
  ret void
}

; -- becomes
declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>)

declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)

define void @lw_group(ptr noalias noundef readonly %launch, ptr noalias noundef align 64 %arena, i32 %group.x, i32 %group.y, i32 %group.z) nounwind {
entry:
  %args = load ptr, ptr %launch, align 8
  %out = load ptr, ptr %args
  br label %region.0

region.0:
  br label %units

units:
  br label %x.units

x.units:
  %x = phi i32 [ 0, %units ], [ %24, %unit.done ]
  %0 = add i32 %x, 4
  %1 = icmp ule i32 %0, 7
  br i1 %1, label %unit.whole, label %unit.masked

unit.whole:
  br label %unit

unit:
  br label %item.0.lanes

item.0.lanes:
  %2 = zext i32 %x to i64
  br label %entry.lanes

entry.lanes:
  %3 = insertelement <4 x i32> poison, i32 %x, i32 0
  %4 = shufflevector <4 x i32> %3, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %5 = add <4 x i32> %4, <i32 0, i32 1, i32 2, i32 3>
  %6 = mul <4 x i32> %5, %5
  %7 = getelementptr i32, ptr %out, i32 %x
  store <4 x i32> %6, ptr %7, align 4
  br label %lanes.end

lanes.end:
  br label %unit.done

unit.masked:
  br label %exists

exists:
  %8 = insertelement <4 x i32> poison, i32 %x, i32 0
  %9 = shufflevector <4 x i32> %8, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %10 = add <4 x i32> %9, <i32 0, i32 1, i32 2, i32 3>
  %11 = icmp ult <4 x i32> %10, splat (i32 7)
  %12 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %11)
  br i1 %12, label %some, label %nobody

some:
  br label %item.0.lanes.1

item.0.lanes.1:
  %13 = zext i32 %x to i64
  br label %entry.lanes.1

entry.lanes.1:
  %14 = insertelement <4 x i32> poison, i32 %x, i32 0
  %15 = shufflevector <4 x i32> %14, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %16 = add <4 x i32> %15, <i32 0, i32 1, i32 2, i32 3>
  %17 = mul <4 x i32> %16, %16
  %18 = getelementptr i32, ptr %out, i32 %x
  %19 = bitcast <4 x i1> %11 to i4
  %20 = zext i4 %19 to i32
  %21 = call i32 asm "", "=r,0"(i32 %20)
  %22 = trunc i32 %21 to i4
  %23 = bitcast i4 %22 to <4 x i1>
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %17, ptr %18, i32 4, <4 x i1> %23)
  br label %lanes.end.1

lanes.end.1:
  br label %nobody

nobody:
  br label %unit.done

unit.done:
  %24 = add nuw nsw i32 %x, 4
  %25 = icmp ult i32 %24, 7
  br i1 %25, label %x.units, label %x.units.done

x.units.done:
  br label %lanes.done

lanes.done:
  ret void
}

!0 = distinct !{}
!lanewise.vectors = !{}
