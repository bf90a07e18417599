; Each path stores again. Loads from a parameter don't read shared memory.
@near = external addrspace(3) global [0 x float], align 4
define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
entry:
  %t = getelementptr float, ptr addrspacecast (ptr addrspace(3) @near to ptr), i64 %i
  store float 0.0, ptr %t, align 4
  %x = load float, ptr %q, align 4
  br i1 %c, label %left, label %right
left:
  store float 1.0, ptr %t, align 4
  ret void
right:
  store float %x, ptr %t, align 4
  ret void
}
; -- becomes
@near = external addrspace(3) global [0 x float], align 4

define ptx_kernel void @f(ptr %p, ptr %q, i64 %i, i1 %c) {
entry:
  %t = getelementptr float, ptr addrspacecast (ptr addrspace(3) @near to ptr), i64 %i
  %x = load float, ptr %q, align 4
  br i1 %c, label %left, label %right

left:
  store float 1.0, ptr %t, align 4
  ret void

right:
  store float %x, ptr %t, align 4
  ret void
}
