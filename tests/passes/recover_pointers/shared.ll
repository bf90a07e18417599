@tile = internal addrspace(3) global [64 x float] undef, align 4

define ptx_kernel void @f(i32 %i, i32 %j, i1 %c) {
  %a = ptrtoint ptr addrspace(3) @tile to i32
  %b = add i32 %a, %i
  %d = sub i32 %b, %j
  %e = select i1 %c, i32 %b, i32 %d
  %g = inttoptr i32 %d to ptr addrspace(3)
  store float 0.000000e+00, ptr addrspace(3) %g, align 4
  %h = inttoptr i32 %e to ptr addrspace(3)
  store float 1.000000e+00, ptr addrspace(3) %h, align 4
  ret void
}
; -- becomes
@tile = internal addrspace(3) global [64 x float] undef, align 4

define ptx_kernel void @f(i32 %i, i32 %j, i1 %c) {
0:
  %a = ptrtoint ptr addrspace(3) @tile to i32
  %b = add i32 %a, %i
  %1 = getelementptr i8, ptr addrspace(3) @tile, i32 %i
  %d = sub i32 %b, %j
  %2 = sub i32 %i, %j
  %3 = getelementptr i8, ptr addrspace(3) @tile, i32 %2
  %e = select i1 %c, i32 %b, i32 %d
  %4 = select i1 %c, ptr addrspace(3) %1, ptr addrspace(3) %3
  store float 0.000000e+00, ptr addrspace(3) %3, align 4
  store float 1.000000e+00, ptr addrspace(3) %4, align 4
  ret void
}
