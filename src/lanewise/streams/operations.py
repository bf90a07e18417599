# SPDX-License-Identifier: Apache-2.0
"""The kinds of work in streams and graphs, apart from moments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, final

from lanewise.device.base import Arguments, Extent, LaunchOptions
from lanewise.errors import LaunchError
from lanewise.streams.moment import Moment


class Operation(Protocol):
    """Work requested by the user."""

    @property
    def kind(self) -> str:
        """The kind of work, in a word or two."""
        ...

    @property
    def name(self) -> str:
        """Name of the kernel, the user's function or the graph; otherwise empty."""
        ...

    def run(self) -> None: ...


Run = Callable[[str, Extent, Extent, Arguments, LaunchOptions], None]
"""`OpenProgram.launch`."""


@final
class KernelLaunch:
    """A launch, checked and packed. It keeps its arguments alive."""

    def __init__(
        self,
        run: Run,
        pack: Callable[[Sequence[Any]], Arguments],
        kernel: tuple[str, str],
        geometry: tuple[Extent, Extent],
        options: LaunchOptions,
        arguments: Sequence[Any],
    ) -> None:
        """`kernel`: its name and symbol; `geometry`: grid and block. Raises the LaunchError of `pack`."""
        self._run: Final = run
        self._pack: Final = pack
        self._geometry: Final = geometry
        self._options: Final = options
        self._packed: Final = pack(arguments)
        self._kernel: Final = kernel
        self.arguments: Final = tuple(arguments)

    @property
    def kind(self) -> str:
        return "kernel"

    @property
    def name(self) -> str:
        return self._kernel[0]

    def run(self) -> None:
        self._run(self._kernel[1], *self._geometry, self._packed, self._options)

    def with_arguments(self, arguments: Sequence[Any]) -> KernelLaunch:
        """The same launch with other arguments. LaunchError if they don't fit."""
        return KernelLaunch(self._run, self._pack, self._kernel, self._geometry, self._options, arguments)


@final
class Call:
    """A call of an internal function: a copy or a fill."""

    def __init__(self, kind: str, function: Callable[..., object], *arguments: object) -> None:
        self._kind: Final = kind
        self._function: Final = function
        self._arguments: Final = arguments

    @property
    def kind(self) -> str:
        return self._kind

    @property
    def name(self) -> str:
        return ""

    def run(self) -> None:
        self._function(*self._arguments)


@final
class HostFunction:
    """A host function of the user's. An exception from it becomes a LaunchError that names it."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self._function: Final = function
        self._arguments: Final = arguments

    @property
    def kind(self) -> str:
        return "host function"

    @property
    def name(self) -> str:
        return getattr(self._function, "__qualname__", repr(self._function))

    def run(self) -> None:
        try:
            self._function(*self._arguments)
        except BaseException as error:  # of any kind: it is raised when the host waits for the stream
            raise LaunchError(f"host function {self.name} raised {type(error).__name__}: {error}") from error


@final
class After:
    """Waits for work of another queue. `fails_with`: also fails if that work failed."""

    def __init__(self, moment: Moment, fails_with: bool = True) -> None:
        self._moment: Final = moment
        self._fails_with: Final = fails_with

    def run(self) -> None:
        self._moment.wait()
        if self._fails_with:
            self._moment.raise_failure()
