# SPDX-License-Identifier: Apache-2.0
"""`lw.link`: makes one module of several sources."""

import os
from collections.abc import Sequence
from typing import Any, cast

from lanewise.errors import Error
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.text_unit import linked
from lanewise.garbage import with_rare_searches
from lanewise.program.module import Module
from lanewise.program.source.compilation import device_options, unit_of
from lanewise.session import Session


@with_rare_searches
def link_sources(
    session: Session, sources: object, *, arch: str | None, options: Sequence[str], mapping: str | None
) -> Module:
    """See `lanewise.link`."""
    if not isinstance(sources, list | tuple) or not sources:
        raise Error("sources must be a list of PTX texts, paths and modules, with at least one")
    given = cast("Sequence[str | os.PathLike[Any] | Module]", sources)
    units = [each.unit if isinstance(each, Module) else unit_of(each, None, arch, None, (), options) for each in given]
    whole = GivenOptions(arch, options=options)
    unit = linked(units, whole)
    if unit is None:
        others = ", ".join(dict.fromkeys(each.name for each in units if linked([each], whole) is None))
        raise Error(f"only PTX is linked, and not {others}; a module's ptx() gives its PTX")
    return Module(unit, session, device_options(mapping))
