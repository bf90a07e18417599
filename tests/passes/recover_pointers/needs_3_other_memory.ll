; An address of global memory, used as an offset into shared memory.
define ptx_kernel void @f(ptr %p, i64 %i) {
  %a = ptrtoint ptr %p to i64
  %b = add i64 %a, %i
  %c = inttoptr i64 %b to ptr addrspace(3)
  store i32 0, ptr addrspace(3) %c, align 4
  ret void
}
; -- unchanged
