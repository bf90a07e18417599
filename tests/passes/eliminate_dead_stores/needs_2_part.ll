; The second store leaves two of the bytes.
define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
  store i32 0, ptr %p, align 4
  store i16 1, ptr %p, align 4
  ret void
}
; -- unchanged
