; mapping: lanes:4x1, block: 4
; A lane that doesn't come to %divide may have 0 for a divisor: with masks, the divisor is at least 1.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, ptr %in, i64 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i64, ptr %in, i32 %t
  %value = load i64, ptr %from
  %is = icmp ne i64 %value, 0
  br i1 %is, label %divide, label %join

divide:
  %quotient = udiv i64 %n, %value
  br label %join

join:
  %result = phi i64 [ %quotient, %divide ], [ -1, %entry ]
  %to = getelementptr i64, ptr %out, i32 %t
  store i64 %result, ptr %to
  ret void
}

; -- becomes
declare i1 @llvm.vector.reduce.and.v4i1(<4 x i1>)

declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>)

declare i64 @llvm.vector.reduce.or.v4i64(<4 x i64>)

declare <4 x double> @llvm.trunc.v4f64(<4 x double>)

declare <4 x i64> @llvm.umax.v4i64(<4 x i64>, <4 x i64>)

define void @lw_group(ptr noalias noundef readonly %launch, ptr noalias noundef align 64 %arena, i32 %group.x, i32 %group.y, i32 %group.z) nounwind !prof !{!"function_entry_count", i64 1000} {
entry:
  %args = load ptr, ptr %launch, align 8
  %out = load ptr, ptr %args
  %0 = getelementptr inbounds i8, ptr %args, i64 8
  %in = load ptr, ptr %0
  %1 = getelementptr inbounds i8, ptr %args, i64 16
  %n = load i64, ptr %1
  %result = alloca <4 x i64>
  %result.1 = alloca <4 x i64>
  br label %region.0

region.0:
  br label %units

units:
  br label %unit

unit:
  br label %item.0.lanes

item.0.lanes:
  %2 = zext i32 0 to i64
  br label %entry.lanes

entry.lanes:
  %3 = getelementptr i64, ptr %in, i32 0
  %value = load <4 x i64>, ptr %3, align 8
  %4 = icmp ne <4 x i64> %value, splat (i64 0)
  %5 = call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> %4)
  br i1 %5, label %entry.all, label %entry.not.all

entry.not.all:
  %6 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %4)
  br i1 %6, label %unit.masked, label %entry.none, !prof !{!"branch_weights", i32 1, i32 2000}

entry.all:
  br label %divide.lanes

entry.none:
  store <4 x i64> splat (i64 -1), ptr %result
  br label %join.lanes

divide.lanes:
  %7 = icmp eq <4 x i64> %value, splat (i64 0)
  %8 = select <4 x i1> %7, <4 x i64> splat (i64 1), <4 x i64> %value
  %9 = insertelement <4 x i64> poison, i64 %n, i32 0
  %10 = shufflevector <4 x i64> %9, <4 x i64> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %11 = or <4 x i64> %10, %8
  %12 = call i64 @llvm.vector.reduce.or.v4i64(<4 x i64> %11)
  %13 = freeze i64 %12
  %14 = icmp ult i64 %13, 4503599627370496
  br i1 %14, label %division.small, label %division.large

division.large:
  %15 = udiv <4 x i64> %10, %8
  br label %division.done

division.small:
  %16 = or <4 x i64> %10, splat (i64 4841369599423283200)
  %17 = bitcast <4 x i64> %16 to <4 x double>
  %18 = fsub <4 x double> %17, splat (double 0x4330000000000000)
  %19 = or <4 x i64> %8, splat (i64 4841369599423283200)
  %20 = bitcast <4 x i64> %19 to <4 x double>
  %21 = fsub <4 x double> %20, splat (double 0x4330000000000000)
  %22 = fdiv <4 x double> %18, %21
  %23 = call <4 x double> @llvm.trunc.v4f64(<4 x double> %22)
  %24 = fadd <4 x double> %23, splat (double 0x4330000000000000)
  %25 = bitcast <4 x double> %24 to <4 x i64>
  %26 = xor <4 x i64> %25, splat (i64 4841369599423283200)
  br label %division.done

division.done:
  %27 = phi <4 x i64> [ %15, %division.large ], [ %26, %division.small ]
  store <4 x i64> %27, ptr %result
  br label %join.lanes

join.lanes:
  %28 = load <4 x i64>, ptr %result
  %29 = getelementptr i64, ptr %out, i32 0
  store <4 x i64> %28, ptr %29, align 8
  br label %lanes.end

lanes.end:
  br label %unit.done

unit.masked:
  br label %unit.1

unit.1:
  br label %item.0.lanes.1

item.0.lanes.1:
  store <4 x i64> poison, ptr %result.1
  %30 = zext i32 0 to i64
  br label %entry.lanes.1

entry.lanes.1:
  %31 = getelementptr i64, ptr %in, i32 0
  %value.1 = load <4 x i64>, ptr %31, align 8
  %32 = icmp ne <4 x i64> %value.1, splat (i64 0)
  %33 = xor <4 x i1> %32, splat (i1 true)
  %34 = load <4 x i64>, ptr %result.1
  %35 = select <4 x i1> %33, <4 x i64> splat (i64 -1), <4 x i64> %34
  store <4 x i64> %35, ptr %result.1
  br label %divide.lanes.1

divide.lanes.1:
  %36 = icmp eq <4 x i64> %value.1, splat (i64 0)
  %37 = select <4 x i1> %36, <4 x i64> splat (i64 1), <4 x i64> %value.1
  %38 = freeze <4 x i64> %37
  %39 = call <4 x i64> @llvm.umax.v4i64(<4 x i64> %38, <4 x i64> splat (i64 1))
  %40 = insertelement <4 x i64> poison, i64 %n, i32 0
  %41 = shufflevector <4 x i64> %40, <4 x i64> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 0>
  %42 = or <4 x i64> %41, %37
  %43 = select <4 x i1> %32, <4 x i64> %42, <4 x i64> zeroinitializer
  %44 = call i64 @llvm.vector.reduce.or.v4i64(<4 x i64> %43)
  %45 = freeze i64 %44
  %46 = icmp ult i64 %45, 4503599627370496
  br i1 %46, label %division.small.1, label %division.large.1

division.large.1:
  %47 = udiv <4 x i64> %41, %39
  br label %division.done.1

division.small.1:
  %48 = or <4 x i64> %41, splat (i64 4841369599423283200)
  %49 = bitcast <4 x i64> %48 to <4 x double>
  %50 = fsub <4 x double> %49, splat (double 0x4330000000000000)
  %51 = or <4 x i64> %37, splat (i64 4841369599423283200)
  %52 = bitcast <4 x i64> %51 to <4 x double>
  %53 = fsub <4 x double> %52, splat (double 0x4330000000000000)
  %54 = fdiv <4 x double> %50, %53
  %55 = call <4 x double> @llvm.trunc.v4f64(<4 x double> %54)
  %56 = fadd <4 x double> %55, splat (double 0x4330000000000000)
  %57 = bitcast <4 x double> %56 to <4 x i64>
  %58 = xor <4 x i64> %57, splat (i64 4841369599423283200)
  br label %division.done.1

division.done.1:
  %59 = phi <4 x i64> [ %47, %division.large.1 ], [ %58, %division.small.1 ]
  %60 = load <4 x i64>, ptr %result.1
  %61 = select <4 x i1> %32, <4 x i64> %59, <4 x i64> %60
  store <4 x i64> %61, ptr %result.1
  br label %join.lanes.1

join.lanes.1:
  %62 = load <4 x i64>, ptr %result.1
  %63 = getelementptr i64, ptr %out, i32 0
  store <4 x i64> %62, ptr %63, align 8
  br label %lanes.end.1

lanes.end.1:
  br label %unit.done

unit.done:
  br label %lanes.done

lanes.done:
  ret void
}

!0 = distinct !{}
!lanewise.vectors = !{}
