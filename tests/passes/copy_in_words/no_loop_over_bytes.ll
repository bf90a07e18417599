; LLVM would copy more than 64 bytes byte by byte.
define void @f(ptr %out, ptr %in) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %out, ptr align 8 %in, i64 70, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
; -- becomes
define void @f(ptr %out, ptr %in) {
0:
  %1 = load <2 x i32>, ptr %in, align 8
  %2 = getelementptr inbounds i8, ptr %in, i64 8
  %3 = load <2 x i32>, ptr %2, align 8
  %4 = getelementptr inbounds i8, ptr %in, i64 16
  %5 = load <2 x i32>, ptr %4, align 8
  %6 = getelementptr inbounds i8, ptr %in, i64 24
  %7 = load <2 x i32>, ptr %6, align 8
  store <2 x i32> %1, ptr %out, align 4
  %8 = getelementptr inbounds i8, ptr %out, i64 8
  store <2 x i32> %3, ptr %8, align 4
  %9 = getelementptr inbounds i8, ptr %out, i64 16
  store <2 x i32> %5, ptr %9, align 4
  %10 = getelementptr inbounds i8, ptr %out, i64 24
  store <2 x i32> %7, ptr %10, align 4
  %11 = getelementptr inbounds i8, ptr %in, i64 32
  %12 = load <2 x i32>, ptr %11, align 8
  %13 = getelementptr inbounds i8, ptr %in, i64 40
  %14 = load <2 x i32>, ptr %13, align 8
  %15 = getelementptr inbounds i8, ptr %in, i64 48
  %16 = load <2 x i32>, ptr %15, align 8
  %17 = getelementptr inbounds i8, ptr %in, i64 56
  %18 = load <2 x i32>, ptr %17, align 8
  %19 = getelementptr inbounds i8, ptr %out, i64 32
  store <2 x i32> %12, ptr %19, align 4
  %20 = getelementptr inbounds i8, ptr %out, i64 40
  store <2 x i32> %14, ptr %20, align 4
  %21 = getelementptr inbounds i8, ptr %out, i64 48
  store <2 x i32> %16, ptr %21, align 4
  %22 = getelementptr inbounds i8, ptr %out, i64 56
  store <2 x i32> %18, ptr %22, align 4
  %23 = getelementptr inbounds i8, ptr %in, i64 64
  %24 = load i32, ptr %23, align 8
  %25 = getelementptr inbounds i8, ptr %in, i64 68
  %26 = load i16, ptr %25, align 4
  %27 = getelementptr inbounds i8, ptr %out, i64 64
  store i32 %24, ptr %27, align 4
  %28 = getelementptr inbounds i8, ptr %out, i64 68
  store i16 %26, ptr %28, align 4
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
