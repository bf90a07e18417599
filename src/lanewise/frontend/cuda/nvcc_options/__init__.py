# SPDX-License-Identifier: Apache-2.0
"""The options of nvcc and NVRTC: which are honoured, ignored with a note, or refused by name.

table          the options
errors         -Werror with the kinds of warnings that nvcc has
translation    options in clang's words, by the table
document       docs/nvcc-options.md, made from the table
"""

from lanewise.frontend.cuda.nvcc_options.errors import with_clangs_errors
from lanewise.frontend.cuda.nvcc_options.translation import (
    Translated,
    is_named,
    split_architecture,
    takes_value,
    translated,
)

__all__ = ["Translated", "is_named", "split_architecture", "takes_value", "translated", "with_clangs_errors"]
