define void @f(i64 %handle, float %x) {
  call void @tex_2d(i64 %handle, float %x)
  ret void
}
declare void @tex_2d(i64, float)
; -- unchanged
