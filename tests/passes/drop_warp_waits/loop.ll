; The loop that waits stays.
define ptx_kernel void @k(ptr %p) {
entry:
  br label %wait
wait:
  %now = load atomic i32, ptr %p acquire, align 4
  %done = icmp ne i32 %now, 0
  call void @__lw_await_warps()
  br i1 %done, label %end, label %wait
end:
  ret void
}
declare void @__lw_await_warps()
; -- becomes
define ptx_kernel void @k(ptr %p) {
entry:
  br label %wait

wait:
  %now = load atomic i32, ptr %p acquire, align 4
  %done = icmp ne i32 %now, 0
  br i1 %done, label %end, label %wait

end:
  ret void
}
