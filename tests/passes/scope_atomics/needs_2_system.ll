define internal i32 @_ZL16atomicAdd_systemPii(ptr %p, i32 %v) {
  %x = atomicrmw add ptr %p, i32 %v monotonic, align 4
  ret i32 %x
}
define internal i32 @_ZL14__lw_fetch_addIL10__lw_scope4EiET0_PS1_S1_(ptr %p, i32 %v) {
  %x = atomicrmw add ptr %p, i32 %v monotonic, align 4
  ret i32 %x
}
; -- unchanged
