; 32 numbers of 64 bits live beside the value, which are 64 registers.
define ptx_kernel void @f(ptr %out, ptr noalias %in, i64 %first, i64 %n, i1 %c) {
entry:
  %p0 = getelementptr double, ptr %out, i64 1
  %v0 = load double, ptr %p0, align 8
  %p1 = getelementptr double, ptr %out, i64 2
  %v1 = load double, ptr %p1, align 8
  %p2 = getelementptr double, ptr %out, i64 3
  %v2 = load double, ptr %p2, align 8
  %p3 = getelementptr double, ptr %out, i64 4
  %v3 = load double, ptr %p3, align 8
  %p4 = getelementptr double, ptr %out, i64 5
  %v4 = load double, ptr %p4, align 8
  %p5 = getelementptr double, ptr %out, i64 6
  %v5 = load double, ptr %p5, align 8
  %p6 = getelementptr double, ptr %out, i64 7
  %v6 = load double, ptr %p6, align 8
  %p7 = getelementptr double, ptr %out, i64 8
  %v7 = load double, ptr %p7, align 8
  %p8 = getelementptr double, ptr %out, i64 9
  %v8 = load double, ptr %p8, align 8
  %p9 = getelementptr double, ptr %out, i64 10
  %v9 = load double, ptr %p9, align 8
  %p10 = getelementptr double, ptr %out, i64 11
  %v10 = load double, ptr %p10, align 8
  %p11 = getelementptr double, ptr %out, i64 12
  %v11 = load double, ptr %p11, align 8
  %p12 = getelementptr double, ptr %out, i64 13
  %v12 = load double, ptr %p12, align 8
  %p13 = getelementptr double, ptr %out, i64 14
  %v13 = load double, ptr %p13, align 8
  %p14 = getelementptr double, ptr %out, i64 15
  %v14 = load double, ptr %p14, align 8
  %p15 = getelementptr double, ptr %out, i64 16
  %v15 = load double, ptr %p15, align 8
  %p16 = getelementptr double, ptr %out, i64 17
  %v16 = load double, ptr %p16, align 8
  %p17 = getelementptr double, ptr %out, i64 18
  %v17 = load double, ptr %p17, align 8
  %p18 = getelementptr double, ptr %out, i64 19
  %v18 = load double, ptr %p18, align 8
  %p19 = getelementptr double, ptr %out, i64 20
  %v19 = load double, ptr %p19, align 8
  %p20 = getelementptr double, ptr %out, i64 21
  %v20 = load double, ptr %p20, align 8
  %p21 = getelementptr double, ptr %out, i64 22
  %v21 = load double, ptr %p21, align 8
  %p22 = getelementptr double, ptr %out, i64 23
  %v22 = load double, ptr %p22, align 8
  %p23 = getelementptr double, ptr %out, i64 24
  %v23 = load double, ptr %p23, align 8
  %p24 = getelementptr double, ptr %out, i64 25
  %v24 = load double, ptr %p24, align 8
  %p25 = getelementptr double, ptr %out, i64 26
  %v25 = load double, ptr %p25, align 8
  %p26 = getelementptr double, ptr %out, i64 27
  %v26 = load double, ptr %p26, align 8
  %p27 = getelementptr double, ptr %out, i64 28
  %v27 = load double, ptr %p27, align 8
  %p28 = getelementptr double, ptr %out, i64 29
  %v28 = load double, ptr %p28, align 8
  %p29 = getelementptr double, ptr %out, i64 30
  %v29 = load double, ptr %p29, align 8
  %p30 = getelementptr double, ptr %out, i64 31
  %v30 = load double, ptr %p30, align 8
  %p31 = getelementptr double, ptr %out, i64 32
  %v31 = load double, ptr %p31, align 8
  %x = load float, ptr %in, align 4
  store float %x, ptr %out, align 4
  br i1 %c, label %next, label %end
next:
  %y = load float, ptr %in, align 4
  store float %y, ptr %out, align 4
  %q0 = getelementptr double, ptr %out, i64 100
  store double %v0, ptr %q0, align 8
  %q1 = getelementptr double, ptr %out, i64 101
  store double %v1, ptr %q1, align 8
  %q2 = getelementptr double, ptr %out, i64 102
  store double %v2, ptr %q2, align 8
  %q3 = getelementptr double, ptr %out, i64 103
  store double %v3, ptr %q3, align 8
  %q4 = getelementptr double, ptr %out, i64 104
  store double %v4, ptr %q4, align 8
  %q5 = getelementptr double, ptr %out, i64 105
  store double %v5, ptr %q5, align 8
  %q6 = getelementptr double, ptr %out, i64 106
  store double %v6, ptr %q6, align 8
  %q7 = getelementptr double, ptr %out, i64 107
  store double %v7, ptr %q7, align 8
  %q8 = getelementptr double, ptr %out, i64 108
  store double %v8, ptr %q8, align 8
  %q9 = getelementptr double, ptr %out, i64 109
  store double %v9, ptr %q9, align 8
  %q10 = getelementptr double, ptr %out, i64 110
  store double %v10, ptr %q10, align 8
  %q11 = getelementptr double, ptr %out, i64 111
  store double %v11, ptr %q11, align 8
  %q12 = getelementptr double, ptr %out, i64 112
  store double %v12, ptr %q12, align 8
  %q13 = getelementptr double, ptr %out, i64 113
  store double %v13, ptr %q13, align 8
  %q14 = getelementptr double, ptr %out, i64 114
  store double %v14, ptr %q14, align 8
  %q15 = getelementptr double, ptr %out, i64 115
  store double %v15, ptr %q15, align 8
  %q16 = getelementptr double, ptr %out, i64 116
  store double %v16, ptr %q16, align 8
  %q17 = getelementptr double, ptr %out, i64 117
  store double %v17, ptr %q17, align 8
  %q18 = getelementptr double, ptr %out, i64 118
  store double %v18, ptr %q18, align 8
  %q19 = getelementptr double, ptr %out, i64 119
  store double %v19, ptr %q19, align 8
  %q20 = getelementptr double, ptr %out, i64 120
  store double %v20, ptr %q20, align 8
  %q21 = getelementptr double, ptr %out, i64 121
  store double %v21, ptr %q21, align 8
  %q22 = getelementptr double, ptr %out, i64 122
  store double %v22, ptr %q22, align 8
  %q23 = getelementptr double, ptr %out, i64 123
  store double %v23, ptr %q23, align 8
  %q24 = getelementptr double, ptr %out, i64 124
  store double %v24, ptr %q24, align 8
  %q25 = getelementptr double, ptr %out, i64 125
  store double %v25, ptr %q25, align 8
  %q26 = getelementptr double, ptr %out, i64 126
  store double %v26, ptr %q26, align 8
  %q27 = getelementptr double, ptr %out, i64 127
  store double %v27, ptr %q27, align 8
  %q28 = getelementptr double, ptr %out, i64 128
  store double %v28, ptr %q28, align 8
  %q29 = getelementptr double, ptr %out, i64 129
  store double %v29, ptr %q29, align 8
  %q30 = getelementptr double, ptr %out, i64 130
  store double %v30, ptr %q30, align 8
  %q31 = getelementptr double, ptr %out, i64 131
  store double %v31, ptr %q31, align 8
  br label %end
end:
  ret void
}
; -- unchanged
