; LLVM makes loops of these, with their order.
define void @f(ptr %p, float %v, i32 %i) {
  %x = atomicrmw fsub ptr %p, float %v syncscope("block") acquire, align 4
  %y = atomicrmw nand ptr %p, i32 %i syncscope("block") acquire, align 4
  ret void
}
; -- unchanged
