; LLVM writes the order and the scope of all else.
define void @f(ptr %p, i32 %v) {
  %x = load atomic i32, ptr %p syncscope("block") acquire, align 4
  store atomic i32 %v, ptr %p syncscope("block") release, align 4
  fence syncscope("block") acq_rel
  %y = cmpxchg ptr %p, i32 %x, i32 %v syncscope("block") acq_rel acquire, align 4
  ret void
}
; -- unchanged
