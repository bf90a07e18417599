; mapping: lanes:4x1, block: 4
; A load that all lanes do at one address is a scalar one; of the store, one lane's value is left.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, ptr %in) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %value = load i32, ptr %in
  %sum = add i32 %value, %t
  store i32 %sum, ptr %out
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
  %value = load i32, ptr %in
  br label %units

units:
  br label %unit

unit:
  br label %item.0.lanes

item.0.lanes:
  %1 = zext i32 0 to i64
  br label %entry.lanes

entry.lanes:
  %2 = add i32 %value, 0
  %3 = insertelement <4 x i32> poison, i32 %2, i32 0
  %4 = shufflevector <4 x i32> %3, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %5 = add <4 x i32> %4, <i32 0, i32 1, i32 2, i32 3>
  %6 = extractelement <4 x i32> %5, i32 3
  store i32 %6, ptr %out
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
