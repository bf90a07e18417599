; Four pieces are loaded before any is stored.
define void @f(ptr %out, ptr %in) {
  call void @llvm.memmove.p0.p0.i64(ptr align 16 %out, ptr align 16 %in, i64 64, i1 false)
  ret void
}
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
; -- becomes
define void @f(ptr %out, ptr %in) {
0:
  %1 = load <4 x i32>, ptr %in, align 16
  %2 = getelementptr inbounds i8, ptr %in, i64 16
  %3 = load <4 x i32>, ptr %2, align 16
  %4 = getelementptr inbounds i8, ptr %in, i64 32
  %5 = load <4 x i32>, ptr %4, align 16
  %6 = getelementptr inbounds i8, ptr %in, i64 48
  %7 = load <4 x i32>, ptr %6, align 16
  store <4 x i32> %1, ptr %out, align 16
  %8 = getelementptr inbounds i8, ptr %out, i64 16
  store <4 x i32> %3, ptr %8, align 16
  %9 = getelementptr inbounds i8, ptr %out, i64 32
  store <4 x i32> %5, ptr %9, align 16
  %10 = getelementptr inbounds i8, ptr %out, i64 48
  store <4 x i32> %7, ptr %10, align 16
  ret void
}

declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
