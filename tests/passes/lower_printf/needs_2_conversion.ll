@s = private addrspace(4) constant [3 x i8] c"%y\00"
define void @f(ptr addrspace(4) %format, float %x) {
  %r = call i32 (ptr addrspace(4), ...) @printf(ptr addrspace(4) @s, float %x)
  ret void
}
declare i32 @printf(ptr addrspace(4), ...)
; -- refused: error: printf's format has no valid conversion at '%y'
