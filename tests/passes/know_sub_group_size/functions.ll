; SPDX-License-Identifier: Apache-2.0
; Functions that the kernel calls read it.
@lw.sub_group_size = internal addrspace(3) global i32 undef, align 4
define i32 @size() {
  %size = load i32, ptr addrspace(3) @lw.sub_group_size, align 4
  ret i32 %size
}
define ptx_kernel void @k(ptr %out) {
  store i32 8, ptr addrspace(3) @lw.sub_group_size, align 4
  %size = call i32 @size()
  store i32 %size, ptr %out, align 4
  ret void
}
; -- becomes
@lw.sub_group_size = internal addrspace(3) global i32 undef, align 4

define i32 @size() {
0:
  ret i32 8
}

define ptx_kernel void @k(ptr %out) {
0:
  store i32 8, ptr addrspace(3) @lw.sub_group_size, align 4
  %size = call i32 @size()
  store i32 %size, ptr %out, align 4
  ret void
}
