define void @__clang_ocl_kern_imp_k() {
  ret void
}
; -- unchanged
