# SPDX-License-Identifier: Apache-2.0
"""What LLVM refuses."""

from __future__ import annotations

from lanewise.errors import Error


class LlvmError(Error):
    """LLVM's parser, verifier or code generator refused a module; the text is LLVM's own message."""
