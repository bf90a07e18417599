# SPDX-License-Identifier: Apache-2.0
"""python -m lanewise.cuda.nvcc ARGUMENT ..."""

import sys

from lanewise.cuda.nvcc.driver import main

sys.exit(main(sys.argv[1:]))
