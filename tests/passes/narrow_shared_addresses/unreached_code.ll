; Code that isn't reached stays: an address may be computed from itself there.
@tile = internal addrspace(3) global [64 x float] undef, align 4
define void @f() {
  ret void
unreached:
  %p = getelementptr inbounds i8, ptr %p, i64 4
  store float 0.0, ptr %p, align 4
  br label %unreached
}
; -- unchanged
