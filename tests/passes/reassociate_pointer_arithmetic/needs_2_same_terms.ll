; SPDX-License-Identifier: Apache-2.0
; Another base, another index, another factor; and a sum of 32 bits that may wrap, of an address that may leave its array.

define void @f(ptr %a, ptr %b, i64 %i, i64 %j, i32 %n) {
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %v = load float, ptr %p, align 4
  %q = getelementptr inbounds float, ptr %b, i64 %i
  store float %v, ptr %q, align 4
  %r = getelementptr inbounds float, ptr %a, i64 %j
  store float %v, ptr %r, align 4
  %s = getelementptr inbounds double, ptr %a, i64 %i
  store float %v, ptr %s, align 4
  %n.wide = sext i32 %n to i64
  %t = getelementptr float, ptr %a, i64 %n.wide
  store float %v, ptr %t, align 4
  %next = add i32 %n, 1
  %next.wide = sext i32 %next to i64
  %u = getelementptr float, ptr %a, i64 %next.wide
  store float %v, ptr %u, align 4
  ret void
}

; -- unchanged
