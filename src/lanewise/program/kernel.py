# SPDX-License-Identifier: Apache-2.0
"""Kernels, and how they are launched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from typing import Any, Final, SupportsIndex, final

from lanewise.device.base import DEFAULT_OPTIONS, Device, Extent, LaunchOptions, OpenProgram
from lanewise.errors import LaunchError
from lanewise.frontend.signature import Parameter, Signature
from lanewise.program.arguments import ArgumentPacker
from lanewise.program.geometry import Size, block_extent, grid_extent


@final
class Kernel:
    """A kernel of a module.

        k[grid, block](y, x, 2.0, n)                 on the default device; returns when it has run
        k.launch(grid, block, (y, x, 2.0, n), shared=0, device=lw.device("reference"))

    `grid` counts work-groups, `block` work-items a group; each an int or a tuple of up to three (x, y, z).
    """

    def __init__(
        self,
        opened: Callable[[Device | str | None], OpenProgram],
        name: str,
        signature: Signature,
        shared_bytes: int,
    ) -> None:
        self._opened: Final = opened
        self.name: Final = name
        """As the source has it, with namespaces and template arguments."""
        self.symbol: Final = signature.symbol
        self.params: Final[tuple[Parameter, ...]] = signature.parameters
        self.shared_bytes: Final = shared_bytes
        """Static shared memory."""
        self._packer: Final = ArgumentPacker(name, signature)
        self._extents: Final[dict[tuple[object, object], tuple[Extent, Extent]]] = {}

    def __repr__(self) -> str:
        return f"<kernel {self.name}({', '.join(p.ctype for p in self.params)})>"

    def __getitem__(self, geometry: tuple[Size, Size]) -> Callable[..., None]:
        """`k[grid, block]`: called with the arguments, it launches the kernel and waits."""
        if not isinstance(geometry, tuple) or len(geometry) != 2:  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
            raise LaunchError(f"kernel {self.name}: write k[grid, block](...), not k[{geometry!r}](...)")
        grid, block = geometry

        def call(*arguments: Any, **named: Any) -> None:
            if named:
                raise LaunchError(
                    f"kernel {self.name}: arguments go by position, not by name ({', '.join(named)}); options such as "
                    "shared= are those of k.launch(grid, block, arguments, ...)"
                )
            self.launch(grid, block, arguments)

        return call

    def launch(
        self,
        grid: Size,
        block: Size,
        arguments: Sequence[object],
        shared: SupportsIndex = 0,
        stream: None = None,
        device: Device | str | None = None,
        timeout: float | None = None,
        cooperative: bool = False,
    ) -> None:
        """Run the kernel and wait until it is done.

        `shared`: bytes of dynamic shared memory. `stream`: None, since launches run one after the other. `timeout`:
        seconds after which a launch that has not ended is given up. `cooperative`: work-groups may wait for one
        another, as CUDA's cooperative launches do. Raises
        LaunchError for what breaks a rule, before anything runs, and for a kernel that traps or fails an assertion;
        CompileError for a kernel that the device can't run.
        """
        if stream is not None:
            raise LaunchError(f"kernel {self.name}: there are no streams yet; stream must be None")
        if type(shared) is not int or shared < 0:
            shared = self._bytes(shared)
        if not isinstance(arguments, tuple | list):
            raise LaunchError(f"kernel {self.name}: arguments must be a tuple or a list, not {arguments!r}")
        extents = self._checked(grid, block)
        packed = self._packer.pack(arguments)
        options = LaunchOptions(shared, timeout, cooperative) if shared or timeout or cooperative else DEFAULT_OPTIONS
        self._opened(device).launch(self.symbol, *extents, packed, options)

    def _bytes(self, shared: SupportsIndex) -> int:
        """`shared` where it is no plain int: one of NumPy's, or a mistake."""
        try:
            number = index(shared)
        except TypeError:
            number = -1
        if number < 0:
            raise LaunchError(f"kernel {self.name}: shared must be a number of bytes, 0 or more, not {shared!r}")
        return number

    def _checked(self, grid: Size, block: Size) -> tuple[Extent, Extent]:
        try:
            return self._extents[grid, block]
        except KeyError:
            extents = grid_extent(grid), block_extent(block)
        except TypeError:  # a list can't be a key
            return grid_extent(grid), block_extent(block)
        if len(self._extents) < 256:
            self._extents[grid, block] = extents
        return extents
