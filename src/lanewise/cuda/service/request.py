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
writes the next, too). Requests of the OpenCL platform:

    build DIGEST
    opencl WHAT               of `OpenClWork`
    general 1                 for any global offset and size; or 0
    simulated 1               by way of PTX, for the simulated GPU; or 0
    any 1                     for launches that meet no assumption; or 0

An empty line follows, then the program's working folder and a NUL, and then texts, each after a line with the number of
its bytes: the options, and what the work is done with.
"""

from collections.abc import Iterator
from enum import StrEnum
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


class OpenClWork(StrEnum):
    """Work for the OpenCL platform, and its texts beside the options."""

    BUILD = "build"
    """A shared object of OpenCL C: the source. With a second text, of the kernel that it names, for the images and
    samplers that it describes (`known_images.py`)."""
    BUILD_LINKED = "build-linked"
    """A shared object of LLVM IR that LINK has made: that, and a second text likewise."""
    COMPILE = "compile"
    """LLVM IR of a part of a program: the source, and the name and the text of each header."""
    LINK = "link"
    """LLVM IR of a program: its parts."""
    LINK_LIBRARY = "link-library"
    """The same, of parts that may call what they don't define."""


class OpenClRequest(NamedTuple):
    """Work on programs in OpenCL C. `folder`: what relative folders in `options` are relative to. `general`: for any
    global offset and size. `simulated`: by way of PTX. `any_launch`: code assumes nothing
    of launches."""

    build: str
    folder: str
    work: OpenClWork
    options: str
    general: bool
    simulated: bool
    any_launch: bool
    texts: tuple[str, ...]


Request = CompileRequest | PtxRequest | OpenClRequest


def read_request(data: bytes) -> Request:
    """The request in a frame. Error for what is none."""
    head, _, content = data.partition(b"\n\n")
    try:
        lines = dict(line.split(" ", 1) for line in head.decode().split("\n"))
        if "opencl" in lines:
            folder, _, rest = content.partition(b"\0")
            options, *texts = _texts(rest)
            name, work = folder.decode(errors="surrogateescape"), OpenClWork(lines["opencl"])
            general, simulated, any_ = (lines[each] == "1" for each in ("general", "simulated", "any"))
            return OpenClRequest(lines["build"], name, work, options, general, simulated, any_, tuple(texts))
        x, y, z = map(int, lines["block"].split())
        if "ptx" in lines:
            return PtxRequest(lines["build"], (x, y, z), content.decode(errors="surrogateescape"))
        return CompileRequest(lines["build"], lines["kernel"], (x, y, z), _ASSUMPTIONS[lines["assume"]], content)
    except (ValueError, KeyError):
        raise Error("the request can't be read") from None


def _texts(data: bytes) -> Iterator[str]:
    """Texts, each after a line with the number of its bytes."""
    while data:
        number, _, rest = data.partition(b"\n")
        end = int(number)
        yield rest[:end].decode(errors="surrogateescape")
        data = rest[end:]
