# SPDX-License-Identifier: Apache-2.0
"""Requests to the compile service, as `runtime/host/second_tier.c` writes them.

    build DIGEST              of the host runtime that asks, and of the OpenCL platform if that does
    kernel SYMBOL
    block X Y Z
    assume all                about its launches; or "nothing"

An empty line follows, then the program's packed kernel IR. With the line

    fixed 1

choices that launches have made don't count. These are about a trial (`runtime/host/launch_trials.c`): a request for
the code by another mapping, "lanes" or "loop", and word of the one that was faster, with picoseconds per work-group by
lanes and by a loop, and the work-groups that were timed:

    try MAPPING
    chosen MAPPING LANES_PS LOOP_PS GROUPS

With the lines

    checks memory,values      as LANEWISE_CHECK has them
    terms cuda                or "opencl", of messages
    folder PATH               of the program

the code has checks (`checked_kernels.py`), and this asks for the text of what they found in a launch:

    build DIGEST
    faults SYMBOL             of the kernel
    checks, terms, folder     as above
    grid X Y Z
    block X Y Z
    dynamic BYTES             of shared memory
    room NUMBER               of faults that are to be described

An empty line follows, then the length of the kernel IR as 8 bytes and the IR; for each pointer of the kernel its
address, the size of its array and the bytes of this before it; then the number of each place at fault, and its record
of `ir/check_report.py`, all numbers of 8 bytes. Requests of `ptx_run`, as `ptx_run/ptx_run.c` writes them:

    build DIGEST
    ptx library
    block X Y Z

An empty line follows, then the PTX. A block of 0 0 0 asks for code for any size (`runtime/host/loaded_library.c`, which
writes the next, too). Requests of the OpenCL platform:

    build DIGEST
    opencl WHAT               of `OpenClWork`
    general 1                 for any global offset and size; or 0
    simulated 1               by way of PTX, for the simulated GPU; or 0
    gpu 90                    PTX for a GPU of compute capability 9.0; or 0
    any 1                     for launches that meet no assumption; or 0
    mapping lanes             as LANEWISE_MAPPING has it; may be empty

An empty line follows, then the program's working folder and a NUL, and then texts, each after a line with the number of
its bytes: the options, and what the work is done with.
"""

import functools
import struct
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from lanewise.device.launch import Extent
from lanewise.errors import Error
from lanewise.opencl.library import build_of_platform
from lanewise.runtime.build import build_of_host
from lanewise.workgroup.launch_assumptions import ALL, LaunchAssumptions
from lanewise.workgroup.mapping import LANES, LOOP

_ASSUMPTIONS: Final = {"all": ALL, "nothing": LaunchAssumptions(small_grid=False, apart=False)}
_CHOSEN: Final = {"usual": False, "other": True}
_LENGTH: Final = struct.Struct("=Q")
ANY_BLOCK: Final[Extent] = (0, 0, 0)
_host: Final = functools.cache(build_of_host)
_platform: Final = functools.cache(build_of_platform)


class CompileRequest(NamedTuple):
    """Machine code that a program wants."""

    build: str
    kernel: str
    block: Extent
    assumptions: LaunchAssumptions
    ir: bytes
    checks: str = ""
    """The checks that the code is to have."""
    terms: str = "cuda"
    folder: str = ""
    """The program's working folder, if the code is to have checks."""
    fixed: bool = False
    """Choices of launches don't count."""
    other: str = ""
    """The mapping that launches are to try."""


class ChoiceRequest(NamedTuple):
    """A choice that a program's launches have made, to be kept. The fields after `ir` are those of
    `device.cpu.choices.Choice`."""

    build: str
    kernel: str
    block: Extent
    assumptions: LaunchAssumptions
    ir: bytes
    other: str
    is_other: bool
    usual_us: float
    other_us: float
    groups: int


class FaultsRequest(NamedTuple):
    """The faults of a launch, which a program wants told. `records`: what follows the IR."""

    build: str
    kernel: str
    checks: str
    terms: str
    grid: Extent
    block: Extent
    dynamic_bytes: int
    room: int
    folder: str
    ir: bytes
    records: bytes


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
    global offset and size. `simulated`: by way of PTX. `gpu`: PTX for a GPU of this compute capability times ten, 0 for
    none. `any_launch`: code assumes nothing of launches. `mapping`: as text, "" for the usual one; PTX needs none."""

    build: str
    folder: str
    work: OpenClWork
    options: str
    general: bool
    simulated: bool
    gpu: int
    any_launch: bool
    texts: tuple[str, ...]
    mapping: str = ""


Request = CompileRequest | ChoiceRequest | FaultsRequest | PtxRequest | OpenClRequest


def read_request(data: bytes) -> Request:
    """The request in a frame. Error for what is none, and for those of another version of Lanewise."""
    head, _, content = data.partition(b"\n\n")
    _require_same_build(head)
    try:
        lines = dict(line.split(" ", 1) for line in head.decode(errors="surrogateescape").split("\n"))
        if "opencl" in lines:
            folder, _, rest = content.partition(b"\0")
            options, *texts = _texts(rest)
            name, work = folder.decode(errors="surrogateescape"), OpenClWork(lines["opencl"])
            general, simulated, any_ = (lines[each] == "1" for each in ("general", "simulated", "any"))
            gpu = int(lines["gpu"])
            return OpenClRequest(
                lines["build"], name, work, options, general, simulated, gpu, any_, tuple(texts), lines["mapping"]
            )
        if "faults" in lines:
            return _faults(lines, content)
        x, y, z = map(int, lines["block"].split())
        if "ptx" in lines:
            return PtxRequest(lines["build"], (x, y, z), content.decode(errors="surrogateescape"))
        assumptions = _ASSUMPTIONS[lines["assume"]]
        wanted = lines["build"], lines["kernel"], (x, y, z), assumptions, content
        if "chosen" in lines:
            word, other, usual_ps, other_ps, groups = lines["chosen"].split()
            is_other, times = _CHOSEN[word], (int(usual_ps) / 1e6, int(other_ps) / 1e6)
            return ChoiceRequest(*wanted, _mapping(other), is_other, *times, int(groups))
        checks, terms = lines.get("checks", ""), lines.get("terms", "cuda")
        other = _mapping(lines["try"]) if "try" in lines else ""
        return CompileRequest(*wanted, checks, terms, lines.get("folder", ""), "fixed" in lines, other)
    except (ValueError, KeyError, struct.error):
        raise Error("the request can't be read") from None


def _require_same_build(head: bytes) -> None:
    """Error if another version wrote a request, whose other lines may then have another form. Only the begins of the
    first two lines, the build and what is asked for, are the same in all versions."""
    first, _, rest = head.partition(b"\n")
    word, _, build = first.partition(b" ")
    if word != b"build":
        raise Error("the request can't be read")
    asked, _, _ = rest.partition(b" ")
    if build.decode(errors="surrogateescape") == (_platform() if asked == b"opencl" else _host()):
        return
    if asked == b"opencl":
        raise Error("the library is another version's of Lanewise: lanewise opencl install makes a new one")
    if asked == b"ptx":
        raise Error("the library is another version's of Lanewise: lanewise build-library ptx-run makes a new one")
    raise Error("the program was linked by another version of Lanewise")


def _mapping(name: str) -> str:
    if name not in (LANES, LOOP):
        raise ValueError(name)
    return name


def _faults(lines: dict[str, str], content: bytes) -> FaultsRequest:
    (length,) = _LENGTH.unpack_from(content)
    ir, records = content[_LENGTH.size : _LENGTH.size + length], content[_LENGTH.size + length :]
    gx, gy, gz = map(int, lines["grid"].split())
    bx, by, bz = map(int, lines["block"].split())
    return FaultsRequest(
        lines["build"], lines["faults"], lines["checks"], lines["terms"], (gx, gy, gz), (bx, by, bz),
        int(lines["dynamic"]), int(lines["room"]), lines["folder"], ir, records,
    )  # fmt: skip


def _texts(data: bytes) -> Iterator[str]:
    """Texts, each after a line with the number of its bytes."""
    while data:
        number, _, rest = data.partition(b"\n")
        end = int(number)
        yield rest[:end].decode(errors="surrogateescape")
        data = rest[end:]
