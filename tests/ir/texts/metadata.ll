; Run: python -m pytest tests/ir/test_round_trip.py
@variable = global i32 0, !dbg !0, !odd\20name !1

declare !kind !2 void @declared()

define void @defined() !kind !2 !other !{} {
  call void @declared(), !kind !2, !other !3
  ret void, !annotation !4
}

!llvm.module.flags = !{!5, !6}
!named = !{!1, !2, !3}
!llvm.ident = !{!7}
!empty = !{}

!0 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!1 = !{!"string with \22quotes\22 and , commas ; semicolon", null, i32 -1, ptr @variable, float 1.000000e+00, i1 true}
!2 = distinct !{!2, !3}
!3 = !{}
!4 = !{!"auto-init"}
!5 = !{i32 2, !"Debug Info Version", i32 3}
!6 = !{i32 1, !"wchar_size", i32 4}
!7 = !{!"lanewise"}
!8 = distinct !DIGlobalVariable(name: "variable", scope: !9, file: !10, line: 1, type: !11, isLocal: false, isDefinition: true)
!9 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !10, producer: "p", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, nameTableKind: None)
!10 = !DIFile(filename: "a \22b\22.cu", directory: "/d", checksumkind: CSK_MD5, checksum: "00112233445566778899aabbccddeeff")
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
