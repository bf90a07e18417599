# SPDX-License-Identifier: Apache-2.0
"""The mathematical library: C sources, compiled to kernel IR, for every device."""

from lanewise.mathlib.library import ON_GPUS, ON_HOSTS, WITHOUT_FUSED, math_library

__all__ = ["ON_GPUS", "ON_HOSTS", "WITHOUT_FUSED", "math_library"]
