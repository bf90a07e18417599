; A volatile load may see another value.
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
  %x = load volatile float, ptr %in, align 4
  %y = load volatile float, ptr %in, align 4
  store float %x, ptr %out, align 4
  store float %y, ptr %out, align 4
  ret void
}
; -- unchanged
