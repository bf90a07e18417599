; SPDX-License-Identifier: Apache-2.0
; options: arguments=((2, b"", 34),), kernel="k"

define ptx_kernel void @k(ptr addrspace(1) %image, i64 %sampler) {
  ret void
}

; -- unchanged
