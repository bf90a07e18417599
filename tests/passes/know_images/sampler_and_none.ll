; SPDX-License-Identifier: Apache-2.0
; A sampler becomes its bits; a parameter of which nothing is known stays.
; options: arguments=((1, b"", 34),), kernel="k"

define ptx_kernel void @k(ptr addrspace(1) %image, i64 %sampler) {
  %modes = trunc i64 %sampler to i32
  %linear = and i32 %modes, 32
  %place = getelementptr i32, ptr addrspace(1) %image, i32 %linear
  store i32 %linear, ptr addrspace(1) %place
  ret void
}

; -- becomes
define ptx_kernel void @k(ptr addrspace(1) %image, i64 %sampler) {
0:
  %modes = trunc i64 34 to i32
  %linear = and i32 %modes, 32
  %place = getelementptr i32, ptr addrspace(1) %image, i32 %linear
  store i32 %linear, ptr addrspace(1) %place
  ret void
}
