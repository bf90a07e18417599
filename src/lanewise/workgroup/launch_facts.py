# SPDX-License-Identifier: Apache-2.0
"""Facts about the code of a work-group function that its launches must know. They are kept beside the machine code."""

import json
from typing import Any, Final, NamedTuple

from lanewise.workgroup.launch_assumptions import LaunchAssumptions

_BEFORE: Final = (9, 11)
"""The numbers of facts that older modules have."""


class LaunchFacts(NamedTuple):
    """Bytes are per worker, without dynamic shared memory."""

    arena_bytes: int
    """Bytes of the arena; in code for any local size, without `item_bytes`."""
    shared_bytes: int
    """Bytes of static shared memory."""
    variables: tuple[str, ...]
    """Symbols of variables and of out-of-line functions whose addresses go into the table `abi.VARIABLES_SYMBOL`."""
    item_bytes: int = 0
    """Bytes of the arena per work-item in code for any local size, else 0: `abi.arena_bytes` returns the arena's
    size."""
    needs_small_grid: bool = False
    """The code is not right for grids of 2^31 and more work-items along an axis."""
    calls: tuple[str, ...] = ()
    """Out-of-line functions that may run when the kernel does."""
    remarks: tuple[str, ...] = ()
    """The choice made for each region and its reason, one line each."""
    flush_denormals: bool = False
    """Denormals count as 0 while the kernel runs."""
    apart: tuple[int, ...] = ()
    """Numbers of the parameters whose arrays must overlap no other argument's."""
    other_mapping: str = ""
    """Another mapping that gives the same results in each work-group, "lanes" or "loop"; empty if there is none."""
    is_unsure: bool = False
    """The model of costs can't tell which of the two is faster."""
    is_inexact: bool = False
    """Fast mathematics is used, which other code of the kernel may round otherwise."""

    @property
    def assumptions(self) -> LaunchAssumptions:
        """The assumptions that launches must meet."""
        return LaunchAssumptions(self.needs_small_grid, bool(self.apart))

    def to_json(self) -> bytes:
        """The facts as a JSON object, by name."""
        return json.dumps(self._asdict()).encode()

    @classmethod
    def from_json(cls, data: bytes) -> "LaunchFacts":
        """The inverse of `to_json`. A list of the fields in order, as modules have it that were saved before, is read,
        too, and so are facts without the last ones. ValueError or TypeError for anything else."""
        read: Any = json.loads(data)
        if len(read) not in (len(cls._fields), *_BEFORE):
            raise ValueError(f"{len(read)} facts, not {len(cls._fields)}")
        given = cls(*read) if isinstance(read, list) else cls(**read)
        lists = ("variables", "calls", "remarks", "apart")
        return given._replace(**{name: tuple(getattr(given, name)) for name in lists})
