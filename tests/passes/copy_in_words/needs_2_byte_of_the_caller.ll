; The byte isn't known.
define void @f(ptr %out, i8 %byte) {
  call void @llvm.memset.p0.i64(ptr align 16 %out, i8 %byte, i64 32, i1 false)
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
; -- unchanged
