# SPDX-License-Identifier: Apache-2.0
"""Debug information is read from metadata as LLVM prints it, and taken out without a trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanewise.ir.debug_info import DebugInfo, Location
from lanewise.ir.reader import read_module
from lanewise.ir.strip_debug import strip_debug_info
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule

TEXTS = Path(__file__).parent / "texts"

METADATA = {
    "!0": '!DIFile(filename: "a b.cu", directory: "/d, line: 9")',
    "!1": r'!DIFile(filename: "\E2\82\AC\5C\22.cu", directory: "")',
    "!2": 'distinct !DISubprogram(name: "f", scope: !0, file: !0, line: 3)',
    "!3": "distinct !DILexicalBlock(scope: !2, file: !1, line: 4, column: 5)",
    "!4": "distinct !DILexicalBlock(scope: !2, line: 4)",
    "!5": "!DILocation(line: 7, column: 2, scope: !3, inlinedAt: !6)",
    "!6": "distinct !DILocation(line: 8, scope: !4)",
    "!7": "!{null, !2, !0}",
    "!8": "!DILocalVariable(name: \"y\", arg: 2, scope: !2, type: null)",
    "!9": "!{}",
    "!10": "!DIGlobalVariableExpression(var: !2, expr: !DIExpression(DW_OP_constu, 3, DW_OP_stack_value))",
}  # fmt: skip


def test_locations_name_the_file_of_their_scope() -> None:
    info = DebugInfo(METADATA)
    assert info.location("!5") == Location('€\\".cu', 7, 2)
    assert info.location("!6") == Location("a b.cu", 8, 0)
    assert str(info.location("!6")) == "a b.cu:8"
    assert info.location("!2") is None
    assert info.location("") is None


def test_fields() -> None:
    info = DebugInfo(METADATA)
    file, variable, expression = info.node("!0"), info.node("!8"), info.node("!10")
    assert file is not None
    assert file.get("directory") == "/d, line: 9"
    assert variable is not None
    assert (variable.kind, variable.number("arg"), variable.get("type"), variable.get("absent")) == (
        "DILocalVariable", 2, "", "",
    )  # fmt: skip
    assert expression is not None
    assert expression.get("expr") == "!DIExpression(DW_OP_constu, 3, DW_OP_stack_value)"
    assert info.elements("!7") == ["", "!2", "!0"]
    assert info.elements("!9") == []
    assert info.node("!7") is None


def test_null_is_a_name_too() -> None:
    node = DebugInfo({"!0": '!DISubprogram(name: "null", linkageName: "_Z4nullv", scope: null , file: null)'}).node(
        "!0"
    )
    assert node is not None
    assert (node.get("name"), node.get("scope"), node.get("file")) == ("null", "", "")


def test_names_of_parameters() -> None:
    assert DebugInfo(METADATA).parameter_names("!2") == {2: "y"}
    assert DebugInfo(METADATA).parameter_names("!0") == {}


@pytest.mark.parametrize("path", sorted(TEXTS.glob("*.ll")), ids=lambda path: path.stem)
def test_stripping_leaves_no_debug_information_and_nothing_broken(path: Path) -> None:
    module = read_module(path.read_text())
    strip_debug_info(module)
    verify(module)
    text = write_module(module)
    assert "!DI" not in text
    assert "#dbg" not in text
    assert "!dbg" not in text
    LlvmModule.parse(text)


def test_lists_lose_locations_and_keep_the_rest() -> None:
    module = read_module(
        'define void @f() {\n  ret void, !dbg !2, !note !1\n}\n!0 = !DIFile(filename: "f", directory: "")\n'
        '!1 = distinct !{!1, !2, !"text, !2", !3, !2}\n!2 = !DILocation(line: 1, scope: !0)\n!3 = !{i32 1}\n'
    )
    strip_debug_info(module)
    assert module.metadata == {"!1": 'distinct !{!1, !"text, !2", !3}', "!3": "!{i32 1}"}
    assert module.function("f").entry.instructions[0].metadata == (("!note", "!1"),)
