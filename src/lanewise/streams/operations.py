# SPDX-License-Identifier: Apache-2.0
"""The kinds of work in streams and graphs, apart from moments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, final

from lanewise.device.launch import Arguments, Launch
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


@final
class KernelLaunch:
    """A launch, checked and packed. It keeps its arguments alive."""

    def __init__(
        self,
        run: Callable[[Launch], None],
        pack: Callable[[Sequence[Any]], Arguments],
        name: str,
        launch: Launch,
        arguments: Sequence[Any],
    ) -> None:
        """`run` is `OpenProgram.launch`, `name` the kernel's; `launch` has the `arguments`, packed."""
        self._run: Final = run
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
        self._run(self._launch)

    def with_arguments(self, arguments: Sequence[Any]) -> KernelLaunch:
        """The same launch with other arguments. LaunchError if they don't fit."""
        launch = self._launch._replace(arguments=self._pack(arguments))
        return KernelLaunch(self._run, self._pack, self._name, launch, arguments)


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
