# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Callable

from lanewise.frontend.cuda.tidying import tidied

MODULE = """\
@_ZL9threadIdx = internal addrspace(4) constant %t undef, align 1
@_ZL7gridDim = internal addrspace(4) constant %t undef, align 1

define void @f() !dbg !7 {
  call void @g(ptr addrspacecast (ptr addrspace(4) @_ZL7gridDim to ptr)), !dbg !9
  ret void
}

!llvm.dbg.cu = !{!0}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_17, file: !1, imports: !3, nameTableKind: None)
!1 = !DIFile(filename: "a.cu", directory: "/")
!3 = !{!4}
!4 = !DIImportedEntity(tag: DW_TAG_imported_declaration, scope: !5, entity: !6, file: !1, line: 3)
!5 = !DINamespace(name: "std", scope: null)
!6 = !DISubprogram(name: "sin", scope: !1, file: !1)
!7 = distinct !DISubprogram(name: "f", scope: !5, file: !1, unit: !0)
!9 = !DILocation(line: 1, scope: !7)
"""


def test_only_what_nothing_uses_is_dropped() -> None:
    text = tidied(MODULE)
    assert "threadIdx" not in text
    assert text.count("@_ZL7gridDim") == 2
    assert "imports" not in text
    assert (
        text[text.index("!llvm.dbg.cu") :]
        == """\
!llvm.dbg.cu = !{!2}

!0 = distinct !DISubprogram(name: "f", scope: !3, file: !4, unit: !2)
!1 = !DILocation(line: 1, scope: !0)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_17, file: !4, nameTableKind: None)
!3 = !DINamespace(name: "std", scope: null)
!4 = !DIFile(filename: "a.cu", directory: "/")
"""
    )


def test_a_file_with_standard_headers_gives_a_module_of_its_own_size(compiled: Callable) -> None:
    kernel = "__global__ void k(float *p) { p[threadIdx.x] = 1; }"
    plain, with_headers = compiled(kernel).text, compiled(f"#include <cmath>\n#include <vector>\n{kernel}").text
    assert len(with_headers) < len(plain) + 500
