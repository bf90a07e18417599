; SPDX-License-Identifier: Apache-2.0
; A variable of the program's own.
@size = internal addrspace(3) global i32 undef, align 4
define ptx_kernel void @k(ptr %out) {
  store i32 16, ptr addrspace(3) @size, align 4
  %size = load i32, ptr addrspace(3) @size, align 4
  store i32 %size, ptr %out, align 4
  ret void
}
; -- unchanged
