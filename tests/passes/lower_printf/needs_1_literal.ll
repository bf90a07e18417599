define void @f(ptr addrspace(4) %format, float %x) {
  %r = call i32 (ptr addrspace(4), ...) @printf(ptr addrspace(4) %format)
  ret void
}
declare i32 @printf(ptr addrspace(4), ...)
; -- refused: error: the format of printf must be a string literal
