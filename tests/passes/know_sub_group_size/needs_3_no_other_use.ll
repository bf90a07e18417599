; SPDX-License-Identifier: Apache-2.0
; Another function may store to it.
@lw.sub_group_size = internal addrspace(3) global i32 undef, align 4
declare void @f(ptr addrspace(3))
define ptx_kernel void @k(ptr %out) {
  store i32 16, ptr addrspace(3) @lw.sub_group_size, align 4
  call void @f(ptr addrspace(3) @lw.sub_group_size)
  %size = load i32, ptr addrspace(3) @lw.sub_group_size, align 4
  store i32 %size, ptr %out, align 4
  ret void
}
; -- unchanged
