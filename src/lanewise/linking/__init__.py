# SPDX-License-Identifier: Apache-2.0
"""Libraries in source form: compiled to kernel IR a unit at a time, and linked into programs cut to what they call."""

from lanewise.linking.definitions import Definition, definitions
from lanewise.linking.library import Library, Unit
from lanewise.linking.link import linked

__all__ = ["Definition", "Library", "Unit", "definitions", "linked"]
