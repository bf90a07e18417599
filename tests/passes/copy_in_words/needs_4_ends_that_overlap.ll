; 80 bytes would be in 20 registers before any is stored.
define void @f(ptr %out, ptr %in) {
  call void @llvm.memmove.p0.p0.i64(ptr align 16 %out, ptr align 16 %in, i64 80, i1 false)
  ret void
}
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
; -- unchanged
