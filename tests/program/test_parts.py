# SPDX-License-Identifier: Apache-2.0
"""Parts of a program that devices read: the text is cut up for the second one, not for a program of one kernel."""

import pytest

from lanewise.cache import Cache
from lanewise.ir import module_text
from lanewise.ir.writer import write_module
from lanewise.program.source.products import Products

TEXT = """\
define void @first() {
  call void @callee()
  ret void
}
define void @callee() {
  ret void
}
define void @second() {
  ret void
}
"""


def test_a_program_of_one_kernel_is_not_cut_up(monkeypatch: pytest.MonkeyPatch):
    texts: list[str] = []

    def cut(text: str) -> module_text.ModuleText:
        texts.append(text)
        return whole(text)

    whole = module_text.ModuleText
    monkeypatch.setattr(module_text, "ModuleText", cut)
    products = Products("", "a program", lambda: TEXT, Cache(None))
    first = products.module("", ["first"])
    assert [f.symbol for f in first.functions if f.blocks] == ["first", "callee"]
    assert texts == []
    again = products.module("", ["first"])
    assert [f.symbol for f in products.module("", ["second"]).functions] == ["second"]
    assert texts == [TEXT]
    assert write_module(again) == write_module(first).replace("declare void @second()\n", "").rstrip() + "\n"
