; Either of the two may be the address.
define ptx_kernel void @f(i64 %p, i64 %q) {
  %a = add i64 %p, %q
  %b = inttoptr i64 %a to ptr
  store i32 0, ptr %b, align 4
  ret void
}
; -- unchanged
