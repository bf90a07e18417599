; The number of bytes isn't known.
define void @f(ptr %out, ptr %in, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %out, ptr align 16 %in, i64 %n, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
; -- unchanged
