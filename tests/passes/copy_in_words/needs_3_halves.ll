; Words would be put together of halves.
define void @f(ptr %out, ptr %in) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %out, ptr align 2 %in, i64 32, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
; -- unchanged
