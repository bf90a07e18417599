; SPDX-License-Identifier: Apache-2.0
; Nobody reads or writes the parameter.
define ptx_kernel void @k(ptr byval(i32) align 4 %p, i32 %n) {
  ret void
}
; -- unchanged
