; mapping: lanes:4x1, block: 4
; Both arms of a divergent branch follow each other, each with a mask; the phi blends. No arm is worth a test.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, ptr %in) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %in, i32 %t
  %value = load i32, ptr %from
  %small = icmp ult i32 %value, 10
  br i1 %small, label %then, label %else

then:
  %doubled = mul i32 %value, 2
  br label %join

else:
  %more = add i32 %value, 7
  br label %join

join:
  %result = phi i32 [ %doubled, %then ], [ %more, %else ]
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %result, ptr %to
  ret void
}

; -- becomes
define void @lw_group(ptr noalias noundef readonly %launch, ptr noalias noundef align 64 %arena, i32 %group.x, i32 %group.y, i32 %group.z) nounwind {
entry:
  %args = load ptr, ptr %launch, align 8
  %out = load ptr, ptr %args
  %0 = getelementptr inbounds i8, ptr %args, i64 8
  %in = load ptr, ptr %0
  %result = alloca <4 x i32>
  br label %region.0

region.0:
  br label %units

units:
  br label %unit

unit:
  br label %item.0.lanes

item.0.lanes:
  store <4 x i32> poison, ptr %result
  %1 = zext i32 0 to i64
  br label %entry.lanes

entry.lanes:
  %2 = getelementptr i32, ptr %in, i32 0
  %value = load <4 x i32>, ptr %2, align 4
  %3 = icmp ult <4 x i32> %value, splat (i32 10)
  %4 = xor <4 x i1> %3, splat (i1 true)
  br label %else.lanes

else.lanes:
  %5 = add <4 x i32> %value, splat (i32 7)
  %6 = load <4 x i32>, ptr %result
  %7 = select <4 x i1> %4, <4 x i32> %5, <4 x i32> %6
  store <4 x i32> %7, ptr %result
  br label %then.lanes

then.lanes:
  %8 = mul <4 x i32> %value, splat (i32 2)
  %9 = load <4 x i32>, ptr %result
  %10 = select <4 x i1> %3, <4 x i32> %8, <4 x i32> %9
  store <4 x i32> %10, ptr %result
  br label %join.lanes

join.lanes:
  %11 = load <4 x i32>, ptr %result
  %12 = getelementptr i32, ptr %out, i32 0
  store <4 x i32> %11, ptr %12, align 4
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
