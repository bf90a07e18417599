; An integer is no float.
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
  %x = load float, ptr %in, align 4
  %y = load i32, ptr %in, align 4
  store float %x, ptr %out, align 4
  store i32 %y, ptr %out, align 4
  ret void
}
; -- unchanged
