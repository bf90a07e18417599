# SPDX-License-Identifier: Apache-2.0
"""Libraries in source form: compiled to kernel IR a unit at a time, and linked into programs cut to what they call.

library        a library, whose units are compiled when something in them is first called
definitions    the text of a module, taken apart
link           what a module calls, added to it
side_by_side   calls in parallel
"""

from lanewise.linking.definitions import Definition, definitions
from lanewise.linking.library import Library, Unit
from lanewise.linking.link import linked

__all__ = ["Definition", "Library", "Unit", "definitions", "linked"]
