# SPDX-License-Identifier: Apache-2.0
"""Numbers of metadata: in order of first use, and none that nothing refers to."""

from lanewise.frontend.metadata_nodes import with_nodes_in_order

BEFORE = """\
@text = constant [7 x i8] c"say !9\\00"
define void @f() !dbg !4 {
  ret void, !dbg !2
}
!named = !{!7}
!0 = !{!"unused", !2}
!2 = !DILocation(line: 1, scope: !4)
!4 = distinct !DISubprogram(name: "f !2", type: !6)
!6 = !{null}
!7 = !{i32 1, !7}
"""

AFTER = """\
@text = constant [7 x i8] c"say !9\\00"
define void @f() !dbg !0 {
  ret void, !dbg !1
}
!named = !{!2}
!0 = distinct !DISubprogram(name: "f !2", type: !3)
!1 = !DILocation(line: 1, scope: !0)
!2 = !{i32 1, !2}
!3 = !{null}
"""


def test_nodes_are_numbered_by_first_use_and_strings_stay() -> None:
    assert with_nodes_in_order(BEFORE) == AFTER
    assert with_nodes_in_order(AFTER) == AFTER


def test_a_module_without_metadata_stays() -> None:
    text = '@text = constant [3 x i8] c"!9\\00"\n'
    assert with_nodes_in_order(text) == text


def test_places_with_more_than_a_scope() -> None:
    places = """\
define void @f() {
  ret void, !dbg !2
  ret void, !dbg !9
}
!1 = !{}
!2 = !DILocation(line: 1, column: 2, scope: !1, inlinedAt: !3)
!3 = !DILocation(line: 4, scope: !1, isImplicitCode: true)
!9 = !DILocation(line: 5, column: 6, scope: !1, atomGroup: 1, atomRank: 2)
"""
    in_order = """\
define void @f() {
  ret void, !dbg !0
  ret void, !dbg !1
}
!0 = !DILocation(line: 1, column: 2, scope: !2, inlinedAt: !3)
!1 = !DILocation(line: 5, column: 6, scope: !2, atomGroup: 1, atomRank: 2)
!2 = !{}
!3 = !DILocation(line: 4, scope: !2, isImplicitCode: true)
"""
    assert with_nodes_in_order(places) == in_order
