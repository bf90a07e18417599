# SPDX-License-Identifier: Apache-2.0
"""The kinds of work in streams and graphs, apart from marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, cast, final

from lanewise.device.base import NativeProgram, OpenProgram
from lanewise.device.launch import Arguments, Launch
from lanewise.errors import LaunchError
from lanewise.runtime import NativeLaunch


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

    def native(self) -> NativeLaunch | None:
        """The work as a launch that a queue makes without Python; None if it is to be run."""
        ...


@final
class KernelLaunch:
    """A launch, checked and packed. It keeps its arguments alive."""

    def __init__(
        self,
        program: OpenProgram,
        pack: Callable[[Sequence[Any]], Arguments],
        name: str,
        launch: Launch,
        arguments: Sequence[Any],
    ) -> None:
        """`name` is the kernel's; `launch` has the `arguments`, packed."""
        self._program: Final = program
        self._pack: Final = pack
        self._name: Final = name
        self._launch: Final = launch
        self.arguments: Final = tuple(arguments)

    @property
    def kind(self) -> str:
        return "kernel"

    @property
    def name(self) -> str:
        return self._name

    def run(self) -> None:
        self._program.launch(self._launch)

    @property
    def may_become_native(self) -> bool:
        """True if `native` may have another result than None."""
        return hasattr(self._program, "native")

    def native(self) -> NativeLaunch | None:
        return cast("NativeProgram", self._program).native(self._launch) if self.may_become_native else None

    def with_arguments(self, arguments: Sequence[Any]) -> KernelLaunch:
        """The same launch with other arguments. LaunchError if they don't fit."""
        launch = self._launch._replace(arguments=self._pack(arguments))
        return KernelLaunch(self._program, self._pack, self._name, launch, arguments)


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

    def native(self) -> NativeLaunch | None:
        return None


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

    def native(self) -> NativeLaunch | None:
        return None
