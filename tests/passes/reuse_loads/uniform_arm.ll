; All threads of a block go the same way: those that come by the second arm load there, and the others once in all.
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = load float, ptr %in, align 4
  store float %x, ptr %out, align 4
  br label %end
b:
  store float 1.0, ptr %out, align 4
  br label %end
end:
  %y = load float, ptr %in, align 4
  store float %y, ptr %out, align 4
  ret void
}
; -- becomes
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
entry:
  br i1 %c, label %a, label %b

a:
  %x = load float, ptr %in, align 4
  store float %x, ptr %out, align 4
  br label %end

b:
  store float 1.0, ptr %out, align 4
  %0 = load float, ptr %in, align 4
  br label %end

end:
  %1 = phi float [ %x, %a ], [ %0, %b ]
  store float %1, ptr %out, align 4
  ret void
}
