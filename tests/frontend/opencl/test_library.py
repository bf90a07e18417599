# SPDX-License-Identifier: Apache-2.0
"""The built-in library is whole: every overload of every built-in function has a definition, in the unit it is looked
for in, and calls nothing but other built-in functions, the mathematical library and what a launch defines."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from lanewise.cache import Cache
from lanewise.config import Config
from lanewise.frontend.clang import run_clang
from lanewise.frontend.opencl.compile import HEADERS
from lanewise.frontend.opencl.library import built_in_library, unit_of
from lanewise.mathlib import math_library
from tests.frontend.opencl.built_ins import BuiltIn, all_built_ins

_DECLARED = re.compile(r"^declare [^\n@]*@(_Z\w+)\(", re.MULTILINE)
_OF_LAUNCHES = {"__lw_global_offset", "__lw_range", "__lw_work_dim"}
