# SPDX-License-Identifier: Apache-2.0
"""The version of CUDA whose interfaces these are."""

from __future__ import annotations

from typing import Final

RELEASE: Final = "12.8"
VERSION: Final = "12.8.93"
