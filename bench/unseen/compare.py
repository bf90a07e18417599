# SPDX-License-Identifier: Apache-2.0
"""Results of two players, compared. Neither is right by itself: only differences that rounding can't make count.

* Floats may differ by a thousandth of their own magnitude, or by 2^-13 of the greatest: players order sums and round
  functions as they like, and programs subtract what is nearly equal.
* Integers of 8 bits may differ by 1, which are mostly rounded floats; wider ones may not.
* Memory of an unknown type, such as a struct of several, is compared as bytes, floats and doubles: one has to do.
* In a thousandth of the elements more may differ, since rounding decides which way a branch goes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from .recording import Bytes

_RELATIVE: Final = 1e-3
_OF_GREATEST: Final = 2.0**-13
_DIFFERING: Final = 1e-3
_POSSIBLE: Final = ("|u1", "<f4", "<f8")
"""Types that memory of an unknown one is compared as."""


def difference(found: Mapping[int, Bytes], wanted: Mapping[int, Bytes], types: Mapping[int, str]) -> str:
    """The first difference, with the number of its memory; empty if there is none. A memory that one of them alone
    changed differs."""
    for number in sorted(found.keys() | wanted.keys()):
        if number not in found or number not in wanted:
            return f"memory {number}: {'not changed' if number not in found else 'changed, which it was not to be'}"
        given = types.get(number)
        said = [_said(found[number], wanted[number], each) for each in ((given,) if given else _POSSIBLE)]
        if all(said):
            return f"memory {number}: {said[0]}"
    return ""


def _said(found: Bytes, wanted: Bytes, dtype: str) -> str:
    """The difference in a memory of numbers of this dtype, in words; empty if there is none."""
    size = np.dtype(dtype).itemsize
    whole = found.nbytes // size * size
    ours, theirs = (each[:whole].view(dtype) for each in (found, wanted))
    wrong = _differ(ours, theirs)
    count = int(np.count_nonzero(wrong))
    if count <= _DIFFERING * wrong.size:
        return ""
    first = int(np.argmax(wrong))
    return f"{count / wrong.size:.2%} of {wrong.size} differ, first {first}: {ours[first]}, not {theirs[first]}"


def _differ(found: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    if found.dtype.kind != "f":
        if found.dtype.itemsize > 1:
            return found != wanted
        return np.abs(found.astype(np.int16) - wanted.astype(np.int16)) > 1
    with np.errstate(all="ignore"):
        found, wanted = found.astype(np.float64), wanted.astype(np.float64)
        finite = np.abs(wanted[np.isfinite(wanted)])
        bound = _RELATIVE * np.abs(wanted) + _OF_GREATEST * finite.max(initial=0)
        same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
        return ~(same | (np.isfinite(wanted) & (np.abs(found - wanted) <= bound)))
