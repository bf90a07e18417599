; SPDX-License-Identifier: Apache-2.0
; The first address has been accessed when the second is computed, whatever stands between them.

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define void @f(ptr %a, i64 %i) {
  %p = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.000000e+00, ptr %p, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %j = add nsw i64 %i, 1
  %q = getelementptr inbounds float, ptr %a, i64 %j
  store float 2.000000e+00, ptr %q, align 4
  ret void
}

; -- becomes
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define void @f(ptr %a, i64 %i) {
0:
  %p = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.000000e+00, ptr %p, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %q = getelementptr inbounds i8, ptr %p, i64 4
  store float 2.000000e+00, ptr %q, align 4
  ret void
}
