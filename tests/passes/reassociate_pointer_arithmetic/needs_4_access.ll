; SPDX-License-Identifier: Apache-2.0
; The first address is accessed if %c holds. The second is not accessed at all. The third is accessed after a barrier that
; a thread may wait at for ever.

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define void @f(ptr %a, ptr %b, i32 %i, i1 %c) {
entry:
  %i.wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %i.wide
  br i1 %c, label %then, label %end

then:
  store float 1.000000e+00, ptr %p, align 4
  br label %end

end:
  %j = add nsw i32 %i, 1
  %j.wide = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %a, i64 %j.wide
  store ptr %q, ptr %b, align 8
  %k = add nsw i32 %i, 2
  %k.wide = sext i32 %k to i64
  %r = getelementptr inbounds float, ptr %a, i64 %k.wide
  %l = add nsw i32 %i, 3
  %l.wide = sext i32 %l to i64
  %s = getelementptr inbounds float, ptr %a, i64 %l.wide
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store float 3.000000e+00, ptr %r, align 4
  store float 4.000000e+00, ptr %s, align 4
  ret void
}

; -- unchanged
