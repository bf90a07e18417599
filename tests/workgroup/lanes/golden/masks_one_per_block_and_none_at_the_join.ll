; mapping: lanes:4x1, block: 4
; The inner block's mask is that of both conditions; the store after the join needs none.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, ptr %in) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %in, i32 %t
  %value = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i32 %t
  %odd = trunc i32 %value to i1
  br i1 %odd, label %one, label %join

one:
  %small = icmp ult i32 %value, 10
  br i1 %small, label %both, label %join

both:
  store i32 1, ptr %to
  br label %join

join:
  %behind = getelementptr i32, ptr %to, i32 64
  store i32 2, ptr %behind
  ret void
}

; -- becomes
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)

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
  %3 = getelementptr i32, ptr %out, i32 0
  %4 = trunc <4 x i32> %value to <4 x i1>
  %5 = xor <4 x i1> %4, splat (i1 true)
  br label %one.lanes

one.lanes:
  %6 = icmp ult <4 x i32> %value, splat (i32 10)
  %7 = select <4 x i1> %4, <4 x i1> %6, <4 x i1> zeroinitializer
  %8 = xor <4 x i1> %6, splat (i1 true)
  %9 = select <4 x i1> %4, <4 x i1> %8, <4 x i1> zeroinitializer
  br label %both.lanes

both.lanes:
  %10 = bitcast <4 x i1> %7 to i4
  %11 = zext i4 %10 to i32
  %12 = call i32 asm "", "=r,0"(i32 %11)
  %13 = trunc i32 %12 to i4
  %14 = bitcast i4 %13 to <4 x i1>
  call void @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 1), ptr %3, i32 4, <4 x i1> %14)
  br label %join.lanes

join.lanes:
  %15 = getelementptr i32, ptr %3, i32 64
  store <4 x i32> splat (i32 2), ptr %15, align 4
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
