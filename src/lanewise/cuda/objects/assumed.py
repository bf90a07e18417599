# SPDX-License-Identifier: Apache-2.0
"""The assumptions about launches under which the code of a program is made."""

from enum import Enum


class Assumed(Enum):
    """Code of a kernel that is made beside that for the local sizes of launches."""

    USUAL = "for launches that meet the usual assumptions"
    NOTHING = "for any launch"
    BOTH = "for usual launches first, and, if it assumes anything, for any"
