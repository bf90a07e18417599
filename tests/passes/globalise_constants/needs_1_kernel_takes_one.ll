; A function that is no kernel gets pointers to the module's own constants.
@table = addrspace(4) constant [2 x float] [float 1.0, float 2.0]
define float @f(ptr addrspace(4) %p) {
  %x = load float, ptr addrspace(4) %p
  ret float %x
}
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = call float @f(ptr addrspace(4) @table)
  store float %x, ptr addrspace(1) %p
  ret void
}
; -- unchanged
