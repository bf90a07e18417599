; SPDX-License-Identifier: Apache-2.0
; A load that may come before the store: in a loop that has not reached it, or earlier in the block.

define float @branch(float %a, float %b, i1 %q) {
entry:
  %t = alloca float, align 4
  %p = fmul contract float %a, %b
  br i1 %q, label %then, label %join

then:
  store float %p, ptr %t, align 4
  br label %join

join:
  %0 = load float, ptr %t, align 4
  %s = fadd contract float %0, %a
  ret float %s
}

define float @last_round(float %a, i1 %q) {
entry:
  %t = alloca float, align 4
  br label %loop

loop:
  %x = phi float [ %a, %entry ], [ %s, %loop ]
  %0 = load float, ptr %t, align 4
  %s = fadd contract float %0, %x
  %p = fmul contract float %x, %x
  store float %p, ptr %t, align 4
  br i1 %q, label %loop, label %done

done:
  ret float %s
}

; -- becomes
define float @branch(float %a, float %b, i1 %q) {
entry:
  %t = alloca float, align 4
  %p = fmul float %a, %b
  br i1 %q, label %then, label %join

then:
  store float %p, ptr %t, align 4
  br label %join

join:
  %0 = load float, ptr %t, align 4
  %s = fadd float %0, %a
  ret float %s
}

define float @last_round(float %a, i1 %q) {
entry:
  %t = alloca float, align 4
  br label %loop

loop:
  %x = phi float [ %a, %entry ], [ %s, %loop ]
  %0 = load float, ptr %t, align 4
  %s = fadd float %0, %x
  %p = fmul float %x, %x
  store float %p, ptr %t, align 4
  br i1 %q, label %loop, label %done

done:
  ret float %s
}
