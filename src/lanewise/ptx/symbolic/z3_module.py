# SPDX-License-Identifier: Apache-2.0
"""The module `z3`, which the extra `shuffles` installs. Its wheel is large, and nothing else needs it."""

from __future__ import annotations

import importlib
from typing import Any, Final

from lanewise.errors import Error
from lanewise.toolchain import package_folder

HOW_TO_INSTALL: Final = "pip install 'lanewise[shuffles]'"


def z3() -> Any:
    """Return the module, which has no types. It takes a tenth of a second to load: only when a question needs it.

    Raises `Error`, which names the extra, if it is not installed.
    """
    try:
        return importlib.import_module("z3")
    except ImportError:
        raise Error(f"the analysis of this PTX needs Z3, which is not installed: {HOW_TO_INSTALL}") from None


def is_installed() -> bool:
    """Tell whether `z3` can be imported, without importing it."""
    return package_folder("z3") is not None
