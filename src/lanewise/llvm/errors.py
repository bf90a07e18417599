# SPDX-License-Identifier: Apache-2.0
"""Errors from LLVM."""

from __future__ import annotations

from lanewise.errors import Error


class LlvmError(Error):
    """LLVM's parser, verifier or code generator refused a module; the text is LLVM's own message."""
