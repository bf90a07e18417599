; Another function gets the address.
@tile = internal addrspace(3) global [16 x [17 x float]] undef, align 4
define void @f(i64 %i) {
  %p = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %i
  call void @g(ptr %p)
  ret void
}
declare void @g(ptr)
; -- unchanged
