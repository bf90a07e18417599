define i32 @f(ptr %p, i32 %v) {
  %x = atomicrmw add ptr %p, i32 %v syncscope("device") monotonic, align 4
  ret i32 %x
}
; -- unchanged
