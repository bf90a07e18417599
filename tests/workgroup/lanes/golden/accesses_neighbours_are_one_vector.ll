; mapping: lanes:4x2, block: 8
; Two vectors, one per chunk: addresses with a step of four bytes from lane to lane.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, ptr %in) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %in, i32 %t
  %value = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %value, ptr %to
  ret void
}

; -- becomes
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
  %value = load <4 x i32>, ptr %2, align 4
  %3 = getelementptr i8, ptr %2, i64 16
  %value.1 = load <4 x i32>, ptr %3, align 4
  %4 = getelementptr i32, ptr %out, i32 0
  store <4 x i32> %value, ptr %4, align 4
  %5 = getelementptr i8, ptr %4, i64 16
  store <4 x i32> %value.1, ptr %5, align 4
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
