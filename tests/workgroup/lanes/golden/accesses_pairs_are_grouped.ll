; mapping: lanes:4x1, block: 4
; Both halves of a pair, eight bytes from lane to lane: one wide load whose lanes are parted, and one wide store.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, ptr %in) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %t to i64
  %real.at = getelementptr { float, float }, ptr %in, i64 %wide
  %real = load float, ptr %real.at, align 8
  %imaginary.at = getelementptr i8, ptr %real.at, i64 4
  %imaginary = load float, ptr %imaginary.at, align 4
  %sum = fadd float %real, %imaginary
  %difference = fsub float %real, %imaginary
  %to = getelementptr { float, float }, ptr %out, i64 %wide
  store float %sum, ptr %to, align 8
  %to.second = getelementptr i8, ptr %to, i64 4
  store float %difference, ptr %to.second, align 4
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
  %2 = zext i32 0 to i64
  %3 = getelementptr { float, float }, ptr %in, i64 %2
  %4 = load <4 x float>, ptr %3, align 4
  %5 = getelementptr i8, ptr %3, i64 16
  %6 = load <4 x float>, ptr %5, align 4
  %7 = shufflevector <4 x float> %4, <4 x float> %6, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %8 = shufflevector <4 x float> %4, <4 x float> %6, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %9 = getelementptr i8, ptr %3, i64 4
  %10 = fadd <4 x float> %7, %8
  %11 = fsub <4 x float> %7, %8
  %12 = getelementptr { float, float }, ptr %out, i64 %2
  %13 = getelementptr i8, ptr %12, i64 4
  %14 = shufflevector <4 x float> %10, <4 x float> %11, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %15 = shufflevector <4 x float> %10, <4 x float> %11, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  store <4 x float> %14, ptr %12, align 4
  %16 = getelementptr i8, ptr %12, i64 16
  store <4 x float> %15, ptr %16, align 4
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
