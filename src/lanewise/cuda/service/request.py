# SPDX-License-Identifier: Apache-2.0
"""Requests to the compile service, as `runtime/host/second_tier.c` writes them.

    build DIGEST              of the host runtime that asks
    kernel SYMBOL
    block X Y Z
    assume all                about its launches; or "nothing"

An empty line follows, then the program's packed kernel IR. Requests of `ptx_run`, as `ptx_run/ptx_run.c` writes them:

    build DIGEST
    ptx library
    block X Y Z

An empty line follows, then the PTX. A block of 0 0 0 asks for code for any size (`runtime/host/loaded_library.c`, which
writes the next, too). Requests of `clBuildProgram`:

    build DIGEST
    opencl library
    general 1                 for any global offset and size; or 0
    options BYTES

An empty line follows, then the program's working folder and a NUL, so many bytes of options, and the source.
"""

from typing import Final, NamedTuple

from lanewise.device.launch import Extent
from lanewise.errors import Error
from lanewise.workgroup.launch_assumptions import ALL, LaunchAssumptions

_ASSUMPTIONS: Final = {"all": ALL, "nothing": LaunchAssumptions(small_grid=False, apart=False)}
ANY_BLOCK: Final[Extent] = (0, 0, 0)


class CompileRequest(NamedTuple):
    """Machine code that a program wants."""

    build: str
    kernel: str
    block: Extent
    assumptions: LaunchAssumptions
    ir: bytes


class PtxRequest(NamedTuple):
    """PTX that `ptx_run` is called with."""

    build: str
    block: Extent
    text: str


class OpenClRequest(NamedTuple):
    """A program in OpenCL C. `folder`: what relative folders in `options` are relative to. `general`: for any global
    offset and size."""

    build: str
    folder: str
    options: str
    general: bool
    text: str


Request = CompileRequest | PtxRequest | OpenClRequest


def read_request(data: bytes) -> Request:
    """The request in a frame. Error for what is none."""
    head, _, content = data.partition(b"\n\n")
    try:
        lines = dict(line.split(" ", 1) for line in head.decode().split("\n"))
        if "opencl" in lines:
            folder, _, rest = content.partition(b"\0")
            end = int(lines["options"])
            words = [part.decode(errors="surrogateescape") for part in (folder, rest[:end], rest[end:])]
            return OpenClRequest(lines["build"], words[0], words[1], lines["general"] == "1", words[2])
        x, y, z = map(int, lines["block"].split())
        if "ptx" in lines:
            return PtxRequest(lines["build"], (x, y, z), content.decode(errors="surrogateescape"))
        return CompileRequest(lines["build"], lines["kernel"], (x, y, z), _ASSUMPTIONS[lines["assume"]], content)
    except (ValueError, KeyError):
        raise Error("the request can't be read") from None
