# SPDX-License-Identifier: Apache-2.0
"""The one place that calls what is judged here."""

from __future__ import annotations


def synthesised(text: str) -> str:
    """A module of PTX with shuffles wherever they can be, whether they pay or not."""
    from lanewise.ptx import synthesise_shuffles
    from lanewise.ptx.language.parser import parse

    return str(synthesise_shuffles(parse(text), always=True).text)
