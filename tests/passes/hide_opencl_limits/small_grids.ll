; SPDX-License-Identifier: Apache-2.0
; Small grids have as few groups along y and z as CUDA's.
; options: small_grid=True

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
  %group = call range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.envreg7()
  ret i32 %group
}

declare i32 @llvm.nvvm.read.ptx.sreg.envreg7()

!opencl.ocl.version = !{!0}
!0 = !{i32 1, i32 2}
