# SPDX-License-Identifier: Apache-2.0
"""Files in JSON that another machine may have written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lanewise.errors import Error


def record(path: Path, key: str, what: str) -> dict[str, Any]:
    """The object in a file. Error if it can't be read or has no `key`; `what` names what the file should be."""
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise Error(f"{path} is not {what}: {getattr(error, 'strerror', None) or error}") from None
    if not isinstance(found, dict) or key not in found:
        raise Error(f"{path} is not {what}: it has no {key!r}")
    return found
