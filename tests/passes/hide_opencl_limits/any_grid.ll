; SPDX-License-Identifier: Apache-2.0
; OpenCL C has no limit along y and z but that of the type.

define i32 @f() {
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  ret i32 %group
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

!opencl.ocl.version = !{!0}
!0 = !{i32 1, i32 2}

; -- becomes
define i32 @f() {
0:
  %group = call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.envreg7()
  ret i32 %group
}

declare i32 @llvm.nvvm.read.ptx.sreg.envreg7()

!opencl.ocl.version = !{!0}
!0 = !{i32 1, i32 2}
