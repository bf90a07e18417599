; LLVM takes the store apart, and leaves the load whole.
define void @f(ptr %out, ptr %in) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %out, ptr align 16 %in, i64 16, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
; -- becomes
define void @f(ptr %out, ptr %in) {
0:
  %1 = load <4 x i32>, ptr %in, align 16
  store <4 x i32> %1, ptr %out, align 4
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
