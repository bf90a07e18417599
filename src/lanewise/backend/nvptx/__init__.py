# SPDX-License-Identifier: Apache-2.0
"""PTX: kernel IR in, the text that NVIDIA's assembler and driver take out."""

from lanewise.backend.nvptx.compile import compile_ptx
from lanewise.backend.nvptx.targets import ARCHITECTURES, PTX_VERSIONS, Target, target

__all__ = ["ARCHITECTURES", "PTX_VERSIONS", "Target", "compile_ptx", "target"]
