define internal i32 @_ZL14__lw_fetch_addIL10__lw_scope2EiET0_PS1_S1_(ptr %p, i32 %v) {
  %x = atomicrmw add ptr %p, i32 %v monotonic, align 4
  ret i32 %x
}
define internal i32 @_ZL9atomicCASPiii(ptr %p, i32 %v) {
  %x = load atomic i32, ptr %p acquire, align 4
  ret i32 %x
}
; -- becomes
define internal i32 @_ZL14__lw_fetch_addIL10__lw_scope2EiET0_PS1_S1_(ptr %p, i32 %v) {
0:
  %x = atomicrmw add ptr %p, i32 %v syncscope("cluster") monotonic, align 4
  ret i32 %x
}

define internal i32 @_ZL9atomicCASPiii(ptr %p, i32 %v) {
0:
  %x = load atomic i32, ptr %p syncscope("device") acquire, align 4
  ret i32 %x
}
