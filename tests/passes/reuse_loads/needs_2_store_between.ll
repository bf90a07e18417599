; The store may change what the second load loads.
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
  %x = load float, ptr %out, align 4
  %p = getelementptr float, ptr %out, i64 %n
  store float %x, ptr %p, align 4
  %y = load float, ptr %out, align 4
  %q = getelementptr float, ptr %p, i64 1
  store float %y, ptr %q, align 4
  ret void
}
; -- unchanged
