declare void @takes(ptr, i64)
define ptx_kernel void @f(i64 %p) {
  %a = inttoptr i64 %p to ptr
  call void @takes(ptr %a, i64 %p)
  ret void
}
; -- becomes
declare void @takes(ptr, i64)

define ptx_kernel void @f(ptr %p) {
0:
  %1 = ptrtoint ptr %p to i64
  call void @takes(ptr %p, i64 %1)
  ret void
}
