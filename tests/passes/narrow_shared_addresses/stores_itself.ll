; An element that points to itself: what is stored stays the generic address.
@nodes = internal addrspace(3) global [64 x ptr] undef, align 8
define void @f(i32 %i) {
  %wide = zext nneg i32 %i to i64
  %p = getelementptr inbounds ptr, ptr addrspacecast (ptr addrspace(3) @nodes to ptr), i64 %wide
  store ptr %p, ptr %p, align 8
  ret void
}
; -- becomes
@nodes = internal addrspace(3) global [64 x ptr] undef, align 8

define void @f(i32 %i) {
0:
  %wide = zext nneg i32 %i to i64
  %1 = mul i32 %i, 8
  %2 = add i32 %1, ptrtoint (ptr addrspace(3) @nodes to i32)
  %3 = inttoptr i32 %2 to ptr addrspace(3)
  %p = getelementptr inbounds ptr, ptr addrspacecast (ptr addrspace(3) @nodes to ptr), i64 %wide
  store ptr %p, ptr addrspace(3) %3, align 8
  ret void
}
