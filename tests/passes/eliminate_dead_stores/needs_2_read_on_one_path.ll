; One path reads what is stored.
define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
entry:
  store float 0.0, ptr %p, align 4
  br i1 %c, label %read, label %end
read:
  %x = load float, ptr %q, align 4
  store float %x, ptr %q, align 4
  br label %end
end:
  store float 1.0, ptr %p, align 4
  ret void
}
; -- unchanged
