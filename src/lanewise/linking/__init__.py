# SPDX-License-Identifier: Apache-2.0
"""Libraries in source form, compiled to kernel IR unit by unit. Programs are linked with the functions they call.

library        a library, whose units are compiled when one of their functions is first called
definitions    a module, split into definitions
link           adds the functions that a module calls
side_by_side   parallel calls
"""

from lanewise.linking.definitions import Definition, definitions
from lanewise.linking.library import Library, LibraryUnit
from lanewise.linking.link import link_libraries

__all__ = ["Definition", "Library", "LibraryUnit", "definitions", "link_libraries"]
