; SPDX-License-Identifier: Apache-2.0
; The variable has another value too, another part, another reader, or is volatile.

define float @two_stores(float %a, float %b, i1 %q) {
entry:
  %t = alloca float, align 4
  %p = fmul contract float %a, %b
  store float %p, ptr %t, align 4
  br i1 %q, label %then, label %join

then:
  store float %a, ptr %t, align 4
  br label %join

join:
  %0 = load float, ptr %t, align 4
  %s = fadd contract float %0, %a
  ret float %s
}

define float @part(float %a, float %b) {
  %t = alloca <2 x float>, align 8
  %p = fmul contract float %a, %b
  store float %p, ptr %t, align 8
  %0 = load <2 x float>, ptr %t, align 8
  %1 = extractelement <2 x float> %0, i32 0
  %s = fadd contract float %1, %a
  ret float %s
}

define half @other_format(float %a, float %b, half %c) {
  %t = alloca float, align 4
  %p = fmul contract float %a, %b
  store float %p, ptr %t, align 4
  %0 = load half, ptr %t, align 4
  %s = fadd contract half %0, %c
  ret half %s
}

define float @element(float %a, float %b) {
  %t = alloca [2 x float], align 4
  %p = fmul contract float %a, %b
  %at = getelementptr inbounds [2 x float], ptr %t, i64 0, i64 1
  store float %p, ptr %at, align 4
  %0 = load float, ptr %at, align 4
  %s = fadd contract float %0, %a
  ret float %s
}

define float @escapes(float %a, float %b) {
  %t = alloca float, align 4
  %p = fmul contract float %a, %b
  store float %p, ptr %t, align 4
  call void @change(ptr %t)
  %0 = load float, ptr %t, align 4
  %s = fadd contract float %0, %a
  ret float %s
}

define float @volatile_store(float %a, float %b) {
  %t = alloca float, align 4
  %p = fmul contract float %a, %b
  store volatile float %p, ptr %t, align 4
  %0 = load float, ptr %t, align 4
  %s = fadd contract float %0, %a
  ret float %s
}

define float @volatile_load(float %a, float %b) {
  %t = alloca float, align 4
  %p = fmul contract float %a, %b
  store float %p, ptr %t, align 4
  %0 = load volatile float, ptr %t, align 4
  %s = fadd contract float %0, %a
  ret float %s
}

declare void @change(ptr)

; -- becomes
define float @two_stores(float %a, float %b, i1 %q) {
entry:
  %t = alloca float, align 4
  %p = fmul float %a, %b
  store float %p, ptr %t, align 4
  br i1 %q, label %then, label %join

then:
  store float %a, ptr %t, align 4
  br label %join

join:
  %0 = load float, ptr %t, align 4
  %s = fadd float %0, %a
  ret float %s
}

define float @part(float %a, float %b) {
0:
  %t = alloca <2 x float>, align 8
  %p = fmul float %a, %b
  store float %p, ptr %t, align 8
  %1 = load <2 x float>, ptr %t, align 8
  %2 = extractelement <2 x float> %1, i32 0
  %s = fadd float %2, %a
  ret float %s
}

define half @other_format(float %a, float %b, half %c) {
0:
  %t = alloca float, align 4
  %p = fmul float %a, %b
  store float %p, ptr %t, align 4
  %1 = load half, ptr %t, align 4
  %s = fadd half %1, %c
  ret half %s
}

define float @element(float %a, float %b) {
0:
  %t = alloca [2 x float], align 4
  %p = fmul float %a, %b
  %at = getelementptr inbounds [2 x float], ptr %t, i64 0, i64 1
  store float %p, ptr %at, align 4
  %1 = load float, ptr %at, align 4
  %s = fadd float %1, %a
  ret float %s
}

define float @escapes(float %a, float %b) {
0:
  %t = alloca float, align 4
  %p = fmul float %a, %b
  store float %p, ptr %t, align 4
  call void @change(ptr %t)
  %1 = load float, ptr %t, align 4
  %s = fadd float %1, %a
  ret float %s
}

define float @volatile_store(float %a, float %b) {
0:
  %t = alloca float, align 4
  %p = fmul float %a, %b
  store volatile float %p, ptr %t, align 4
  %1 = load float, ptr %t, align 4
  %s = fadd float %1, %a
  ret float %s
}

define float @volatile_load(float %a, float %b) {
0:
  %t = alloca float, align 4
  %p = fmul float %a, %b
  store float %p, ptr %t, align 4
  %1 = load volatile float, ptr %t, align 4
  %s = fadd float %1, %a
  ret float %s
}

declare void @change(ptr)
