# SPDX-License-Identifier: Apache-2.0
"""The sections of a relocatable object file."""

from __future__ import annotations

from lanewise.llvm.binding import llvm


def code_of(object_file: bytes) -> bytes:
    """Its machine code, section after section."""
    with llvm().object_file.ObjectFileRef.from_data(object_file) as opened:
        return b"".join(section.data() for section in opened.sections() if section.is_text())
