; mapping: lanes:4x1, block: 8
; Units whose work-items are all within the bound have no masks; the one that crosses it is done with masks.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %group, 8
  %i = add i32 %first, %t
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %work, label %after

work:
  %wide = zext i32 %i to i64
  %to = getelementptr float, ptr %out, i64 %wide
  %old = load float, ptr %to
  %new = fmul float %old, 2.000000e+00
  store float %new, ptr %to
  br label %after

after:
  ret void
}

; -- becomes
declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, i32, <4 x i1>, <4 x float>)

declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, i32, <4 x i1>)

define void @lw_group(ptr noalias noundef readonly %launch, ptr noalias noundef align 64 %arena, i32 %group.x, i32 %group.y, i32 %group.z) nounwind !prof !{!"function_entry_count", i64 1000} {
entry:
  %args = load ptr, ptr %launch, align 8
  %out = load ptr, ptr %args
  %0 = getelementptr inbounds i8, ptr %args, i64 8
  %n = load i32, ptr %0
  br label %region.0

region.0:
  %first = mul nuw nsw i32 %group.x, 8
  br label %units

units:
  br label %x.units

x.units:
  %x = phi i32 [ 0, %units ], [ %31, %unit.done ]
  br label %unit

unit:
  br label %item.0.lanes

item.0.lanes:
  %1 = zext i32 %x to i64
  br label %entry.lanes

entry.lanes:
  %2 = add i32 %first, %x
  %3 = insertelement <4 x i32> poison, i32 %2, i32 0
  %4 = shufflevector <4 x i32> %3, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %5 = add <4 x i32> %4, <i32 0, i32 1, i32 2, i32 3>
  %6 = insertelement <4 x i32> poison, i32 %n, i32 0
  %7 = shufflevector <4 x i32> %6, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %8 = icmp slt <4 x i32> %5, %7
  %9 = add i32 %2, 3
  %10 = icmp slt i32 %9, %n
  br i1 %10, label %entry.all, label %entry.not.all

entry.not.all:
  %11 = add i32 %2, 3
  %12 = icmp sge i32 %2, %n
  %13 = freeze i1 %12
  %14 = xor i1 %13, true
  br i1 %14, label %unit.masked, label %entry.none, !prof !{!"branch_weights", i32 1, i32 2000}

entry.all:
  br label %work.lanes

entry.none:
  br label %after.lanes

work.lanes:
  %15 = zext i32 %2 to i64
  %16 = getelementptr float, ptr %out, i64 %15
  %old = load <4 x float>, ptr %16, align 4
  %17 = fmul <4 x float> %old, splat (float 2.000000e+00)
  store <4 x float> %17, ptr %16, align 4
  br label %after.lanes

after.lanes:
  br label %lanes.end

lanes.end:
  br label %unit.done

unit.masked:
  br label %unit.1

unit.1:
  br label %item.0.lanes.1

item.0.lanes.1:
  %18 = zext i32 %x to i64
  br label %entry.lanes.1

entry.lanes.1:
  %19 = add i32 %first, %x
  %20 = insertelement <4 x i32> poison, i32 %19, i32 0
  %21 = shufflevector <4 x i32> %20, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %22 = add <4 x i32> %21, <i32 0, i32 1, i32 2, i32 3>
  %23 = insertelement <4 x i32> poison, i32 %n, i32 0
  %24 = shufflevector <4 x i32> %23, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %25 = icmp slt <4 x i32> %22, %24
  %26 = xor <4 x i1> %25, splat (i1 true)
  br label %work.lanes.1

work.lanes.1:
  %27 = zext i32 %19 to i64
  %28 = getelementptr float, ptr %out, i64 %27
  %29 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %28, i32 4, <4 x i1> %25, <4 x float> poison)
  %30 = fmul <4 x float> %29, splat (float 2.000000e+00)
  call void @llvm.masked.store.v4f32.p0(<4 x float> %30, ptr %28, i32 4, <4 x i1> %25)
  br label %after.lanes.1

after.lanes.1:
  br label %lanes.end.1

lanes.end.1:
  br label %unit.done

unit.done:
  %31 = add nuw nsw i32 %x, 4
  %32 = icmp ult i32 %31, 8
  br i1 %32, label %x.units, label %x.units.done

x.units.done:
  br label %lanes.done

lanes.done:
  ret void
}

!0 = distinct !{}
!lanewise.vectors = !{}
