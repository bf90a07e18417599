; A kernel's struct, and its copy in local memory, may be the same.
define ptx_kernel void @f(ptr byval([4 x i32]) %s, ptr %p, i64 %i) {
  %l = addrspacecast ptr %s to ptr addrspace(5)
  %e = getelementptr i32, ptr addrspace(5) %l, i64 %i
  store i32 1, ptr %s, align 4
  %x = load i32, ptr addrspace(5) %e, align 4
  store i32 2, ptr %s, align 4
  store i32 %x, ptr %p, align 4
  ret void
}
; -- unchanged
