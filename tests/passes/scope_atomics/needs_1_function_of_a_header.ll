; The program's functions mean the system.
define internal i32 @_Z14atomicAddTwicePii(ptr %p, i32 %v) {
  %x = atomicrmw add ptr %p, i32 %v monotonic, align 4
  ret i32 %x
}
define internal i32 @_Z15atomicAdd_blockPii(ptr %p, i32 %v) {
  %x = atomicrmw add ptr %p, i32 %v monotonic, align 4
  ret i32 %x
}
; -- unchanged
