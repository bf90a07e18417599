# SPDX-License-Identifier: Apache-2.0
"""Documents hold no marks of what was to be filled in."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_PLACEHOLDER = re.compile(r"@@[A-Z][A-Z0-9_]*@@|@[A-Z][A-Z0-9_]*@|\b(?:TODO|FIXME|TBD)\b")
"""A name in capitals between at signs, such as a script fills in, or a note to oneself."""


@pytest.mark.parametrize("text", ["takes @@KEEP@@ ms", "clFFT: @CLFFT@ of 20", "TODO: measure"])
def test_placeholders_are_found(text: str):
    assert _PLACEHOLDER.search(text)


@pytest.mark.parametrize("text", ["`@%p1 bra`", "`@P0 BRA`", "`@lw.kernel`", "someone@example.org"])
def test_predicates_and_decorators_are_none(text: str):
    assert not _PLACEHOLDER.search(text)


def test_no_document_holds_a_placeholder():
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md")]
    assert len(documents) > 20
    found = {
        f"{path.name}:{number}": line
        for path in documents
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if _PLACEHOLDER.search(line)
    }
    assert not found
