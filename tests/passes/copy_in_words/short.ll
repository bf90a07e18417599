; 8 bytes and 4, as LLVM has them.
define void @f(ptr %out, ptr %in) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %out, ptr align 16 %in, i64 12, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
; -- becomes
define void @f(ptr %out, ptr %in) {
0:
  %1 = load <2 x i32>, ptr %in, align 16
  %2 = getelementptr inbounds i8, ptr %in, i64 8
  %3 = load i32, ptr %2, align 8
  store <2 x i32> %1, ptr %out, align 16
  %4 = getelementptr inbounds i8, ptr %out, i64 8
  store i32 %3, ptr %4, align 8
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
