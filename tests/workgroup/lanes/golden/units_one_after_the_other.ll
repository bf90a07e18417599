; mapping: lanes:4x1, block: 12
; Three units, four work-items each, in a loop.
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
  %x = phi i32 [ 0, %units ], [ %6, %unit.done ]
  br label %unit

unit:
  br label %item.0.lanes

item.0.lanes:
  %0 = zext i32 %x to i64
  br label %entry.lanes

entry.lanes:
  %1 = insertelement <4 x i32> poison, i32 %x, i32 0
  %2 = shufflevector <4 x i32> %1, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %3 = add <4 x i32> %2, <i32 0, i32 1, i32 2, i32 3>
  %4 = mul <4 x i32> %3, %3
  %5 = getelementptr i32, ptr %out, i32 %x
  store <4 x i32> %4, ptr %5, align 4
  br label %lanes.end

lanes.end:
  br label %unit.done

unit.done:
  %6 = add nuw nsw i32 %x, 4
  %7 = icmp ult i32 %6, 12
  br i1 %7, label %x.units, label %x.units.done

x.units.done:
  br label %lanes.done

lanes.done:
  ret void
}

!0 = distinct !{}
!lanewise.vectors = !{}
