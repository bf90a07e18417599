; mapping: lanes:4x2, block: 8
; All work-items are in one unit of two chunks: no loop.
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
  br label %unit

unit:
  br label %item.0.lanes

item.0.lanes:
  %0 = zext i32 0 to i64
  br label %entry.lanes

entry.lanes:
  %1 = mul <4 x i32> <i32 0, i32 1, i32 2, i32 3>, <i32 0, i32 1, i32 2, i32 3>
  %2 = mul <4 x i32> <i32 4, i32 5, i32 6, i32 7>, <i32 4, i32 5, i32 6, i32 7>
  %3 = getelementptr i32, ptr %out, i32 0
  store <4 x i32> %1, ptr %3, align 4
  %4 = getelementptr i8, ptr %3, i64 16
  store <4 x i32> %2, ptr %4, align 4
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
