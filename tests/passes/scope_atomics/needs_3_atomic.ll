define internal i32 @_ZL15atomicAdd_blockPii(ptr %p, i32 %v) {
  %x = load i32, ptr %p, align 4
  ret i32 %x
}
; -- unchanged
