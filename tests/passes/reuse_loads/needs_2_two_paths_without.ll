; On two of three paths there is no value: as many loads would come as go.
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
entry:
  br i1 %c, label %a, label %others
others:
  %other = icmp eq i64 %n, 0
  br i1 %other, label %b, label %c.3
a:
  %x = load float, ptr %in, align 4
  store float %x, ptr %out, align 4
  br label %end
b:
  store float 1.0, ptr %out, align 4
  br label %end
c.3:
  store float 2.0, ptr %out, align 4
  br label %end
end:
  %y = load float, ptr %in, align 4
  store float %y, ptr %out, align 4
  ret void
}
; -- unchanged
