# SPDX-License-Identifier: Apache-2.0
"""What is special to PTX: targets, what they can, and the passes that write what LLVM's back end doesn't.

`pipelines/gpu.py` has them in order.
"""

from lanewise.backend.nvptx.targets import ARCHITECTURES, PTX_VERSIONS, Target, target

__all__ = ["ARCHITECTURES", "PTX_VERSIONS", "Target", "target"]
