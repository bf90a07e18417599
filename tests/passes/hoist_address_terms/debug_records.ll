; Records of variables are no instructions: the loop has 8.
; with _MOST_FOR_ONE=8
define void @f(ptr %a, i32 %row, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
    #dbg_value(i32 %k, !0, !DIExpression(), !1)
    #dbg_value(i32 %k, !0, !DIExpression(), !1)
  %i = add nsw i32 %row, %k
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store float 0.0, ptr %p, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}

!llvm.dbg.cu = !{!4}
!llvm.module.flags = !{!7}
!0 = !DILocalVariable(name: "t", scope: !2, type: !3)
!1 = !DILocation(line: 1, scope: !2)
!2 = distinct !DISubprogram(name: "k", unit: !4, file: !5, type: !6, spFlags: DISPFlagDefinition)
!3 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!4 = distinct !DICompileUnit(language: DW_LANG_C, file: !5, emissionKind: FullDebug)
!5 = !DIFile(filename: "k.cu", directory: "/")
!6 = !DISubroutineType(types: !{null})
!7 = !{i32 2, !"Debug Info Version", i32 3}
; -- becomes
define void @f(ptr %a, i32 %row, i32 %n) {
entry:
  %0 = sext i32 %row to i64
  %1 = getelementptr [4 x i8], ptr %a, i64 %0
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
    #dbg_value(i32 %k, !0, !DIExpression(), !1)
    #dbg_value(i32 %k, !0, !DIExpression(), !1)
  %2 = sext i32 %k to i64
  %p = getelementptr [4 x i8], ptr %1, i64 %2
  store float 0.0, ptr %p, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop

out:
  ret void
}

!llvm.dbg.cu = !{!4}
!llvm.module.flags = !{!7}
!0 = !DILocalVariable(name: "t", scope: !2, type: !3)
!1 = !DILocation(line: 1, scope: !2)
!2 = distinct !DISubprogram(name: "k", unit: !4, file: !5, type: !6, spFlags: DISPFlagDefinition)
!3 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!4 = distinct !DICompileUnit(language: DW_LANG_C, file: !5, emissionKind: FullDebug)
!5 = !DIFile(filename: "k.cu", directory: "/")
!6 = !DISubroutineType(types: !{null})
!7 = !{i32 2, !"Debug Info Version", i32 3}
