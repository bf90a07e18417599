# SPDX-License-Identifier: Apache-2.0
"""Messages between the device `apart` and its process."""

from typing import Any, NamedTuple

from lanewise.device.launch import Launch
from lanewise.device.program import Program


class Request(NamedTuple):
    """A method of `Server` and its arguments."""

    method: str
    arguments: tuple[Any, ...]


class Reply(NamedTuple):
    """The result of a request, or its exception; and what was printed."""

    result: Any
    failure: BaseException | None
    output: str


class SentProgram(NamedTuple):
    """A `Program`, with its linked kernel IR."""

    key: str
    name: str
    linked: str
    names: dict[str, str]
    foreign: bool
    options: dict[str, str]

    def program(self) -> Program:
        return Program(
            self.key,
            self.name,
            lambda form, target: self.linked,
            self.names,
            foreign=self.foreign,
            options=self.options,
        )


class SentLaunch(NamedTuple):
    """A `Launch`; `packing` is the format of its parameters."""

    launch: Launch
    names: tuple[str, ...]
    const: tuple[bool, ...]
    packing: str
