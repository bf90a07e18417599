; Each byte of a word is the same; 64 bytes and 6.
define void @f(ptr %out) {
  call void @llvm.memset.p0.i64(ptr align 16 %out, i8 -2, i64 70, i1 false)
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
; -- becomes
define void @f(ptr %out) {
0:
  store <4 x i32> splat (i32 -16843010), ptr %out, align 16
  %1 = getelementptr inbounds i8, ptr %out, i64 16
  store <4 x i32> splat (i32 -16843010), ptr %1, align 16
  %2 = getelementptr inbounds i8, ptr %out, i64 32
  store <4 x i32> splat (i32 -16843010), ptr %2, align 16
  %3 = getelementptr inbounds i8, ptr %out, i64 48
  store <4 x i32> splat (i32 -16843010), ptr %3, align 16
  %4 = getelementptr inbounds i8, ptr %out, i64 64
  store i32 -16843010, ptr %4, align 16
  %5 = getelementptr inbounds i8, ptr %out, i64 68
  store i16 -258, ptr %5, align 4
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
