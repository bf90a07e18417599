; A GPU with accesses of 256 bits.
; options: widest=32
define void @f(ptr %out, ptr %in) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 32 %out, ptr align 64 %in, i64 96, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
; -- becomes
define void @f(ptr %out, ptr %in) {
0:
  %1 = load <8 x i32>, ptr %in, align 64
  %2 = getelementptr inbounds i8, ptr %in, i64 32
  %3 = load <8 x i32>, ptr %2, align 32
  %4 = getelementptr inbounds i8, ptr %in, i64 64
  %5 = load <8 x i32>, ptr %4, align 64
  store <8 x i32> %1, ptr %out, align 32
  %6 = getelementptr inbounds i8, ptr %out, i64 32
  store <8 x i32> %3, ptr %6, align 32
  %7 = getelementptr inbounds i8, ptr %out, i64 64
  store <8 x i32> %5, ptr %7, align 32
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
