# SPDX-License-Identifier: Apache-2.0
"""Work for the OpenCL platform: shared objects of programs in OpenCL C, parts of programs, programs of several parts.

The answer to `clBuildProgram` is "library PATH", as for PTX: code of all kernels for any local size. After it comes
what the source says of its kernels, in fields between tabs:

    kernel NAME SYMBOL LOCAL_X LOCAL_Y LOCAL_Z MOST_WORK_ITEMS LOCAL_BYTES ASKS_DIMENSIONS SUB_GROUP_SIZE LATER
        UNIFORM SEES_GROUPS GOES_ALONG_Y ATTRIBUTES                      on the same line
    argument NAME TYPE KIND ADDRESS ACCESS QUALIFIERS BYTES OFFSET      of the kernel before it
    variables BYTES                                                      in global memory
    log                                                                  the rest is the build log

Numbers that the source doesn't give are 0. Kernels that are compiled LATER have no code in the library: they take
images, and are asked for one by one, when their formats are known (`known_images.py` of this folder). For a GPU, the
answer begins with PTX in place of the library, as `runtime/host/ptx_image.c` reads it. Before all that may be what
`included_files.py` tells. The answer to
`clCompileProgram` and `clLinkProgram` is "ir PATH", a file with LLVM IR, and the log after it. A program that clang or
the linker refuses has the answer "failed", and one whose options are refused "options", with the log after it. So has
one for a mapping that there isn't: "failed".
"""

from __future__ import annotations

import time
from contextlib import chdir, nullcontext
from pathlib import Path
from typing import Final

from lanewise.backend.host.features import features
from lanewise.backend.nvptx.targets import newest_architecture
from lanewise.cache import Cache, key
from lanewise.cuda.objects.assumed import Assumed
from lanewise.cuda.objects.gpu_code import gpu_codes
from lanewise.cuda.service.included_files import files_head, files_to_hold
from lanewise.cuda.service.known_images import KnownImagesUnit, later_kernels, read_known, writes_variables
from lanewise.cuda.service.request import OpenClRequest, OpenClWork
from lanewise.device.gpus import gpu_named
from lanewise.errors import CompileError, Error
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.info import KernelInfo, ProgramInfo
from lanewise.frontend.kernel_qualifiers import HIDDEN
from lanewise.frontend.opencl.held_files import may_have_changed, with_files, without_files
from lanewise.frontend.opencl.options import OptionsError
from lanewise.frontend.opencl.unit import OpenClUnit, opencl_unit
from lanewise.frontend.ptx.unit import ptx_unit
from lanewise.frontend.signature import Parameter
from lanewise.frontend.source import Source
from lanewise.frontend.spirv import is_spirv
from lanewise.program.source.compilation import device_options
from lanewise.program.source.translation import TranslatedUnit, record_same, translate

SIMULATED_GPU: Final = gpu_named("A100")
"""The GPU that lanewise-simt is."""
_FILE: Final = "opencl.so"
_IR: Final = "opencl.ll"


def opencl_answer(request: OpenClRequest, cache: Cache) -> bytes:
    """The answer to a request. Error if there is no cache that could keep the result."""
    with chdir(request.folder) if Path(request.folder).is_dir() else nullcontext():
        try:
            match request.work:
                case OpenClWork.COMPILE:
                    return _part(request, cache)
                case OpenClWork.LINK | OpenClWork.LINK_LIBRARY:
                    return _linked(request, cache)
                case _:
                    return _built(request, cache)
        except OptionsError as error:
            return f"options\n{error}\n".encode(errors="surrogateescape")
        except CompileError as error:
            return f"failed\n{error}\n".encode(errors="surrogateescape")


def _built(request: OpenClRequest, cache: Cache) -> bytes:
    options = _device_options(request)
    is_linked = request.work is OpenClWork.BUILD_LINKED
    text, held = (request.texts[0], None) if is_linked else without_files(request.texts[0])
    unit = opencl_unit(Source(text, None), GivenOptions(options=request.options))
    unit = unit._replace(options=unit.options._replace(general=request.general), is_linked=is_linked, held=held)
    if is_linked or held is not None:
        return _code(request, unit, translate(unit, options, cache), options, cache)
    started = time.time()
    made = translate(unit, options, cache)
    head = files_head(text, request.options, made.dependencies)
    held = files_to_hold(text, request.options, made.dependencies)
    if held is not None:
        whole = with_files(text, held)
        head += f"program {len(whole)}\n{whole}\n"
        unit = unit._replace(held=held)
        if may_have_changed(held, started):  # since clang read them: what is held counts
            made = translate(unit, options, cache)
        else:
            record_same(unit, made, cache)
    return head.encode(errors="surrogateescape") + _code(request, unit, made, options, cache)


def _code(
    request: OpenClRequest, unit: OpenClUnit, made: TranslatedUnit, options: dict[str, str], cache: Cache
) -> bytes:
    if len(request.texts) > 1:
        known = read_known(request.texts[1])
        made = translate(KnownImagesUnit(unit, made.program.key, known), options, cache)
    if request.gpu:
        return _for_gpu(made, request.gpu)
    later = later_kernels(made) if len(request.texts) == 1 and not request.simulated else frozenset[str]()
    if later and writes_variables(made):
        later = frozenset[str]()
    assumed = Assumed.NOTHING if request.any_launch else Assumed.USUAL
    form = "simulated" if request.simulated else ""
    entry = key(
        "library of OpenCL C", request.build, features(), made.program.key, options["mapping"], form, assumed.name
    )
    path = cache.get(entry, _FILE)
    if path is None:
        code = _through_ptx(made, cache) if request.simulated else made
        now = tuple(kernel for kernel in code.info.kernels if kernel.signature.symbol not in later)
        code = code._replace(info=code.info._replace(kernels=now))
        path = _kept(cache, entry, _FILE, _library(code, unit, entry, assumed))
    return f"library {_one_line(path)}\n{_described(made.info, later)}".encode(errors="surrogateescape")


def _device_options(request: OpenClRequest) -> dict[str, str]:
    """The wishes for devices. CompileError for a mapping that there isn't."""
    try:
        return device_options(request.mapping.strip() or "auto")
    except Error as error:
        raise CompileError(f"LANEWISE_MAPPING: {error}") from None


def _for_gpu(made: TranslatedUnit, capability: int) -> bytes:
    """The PTX itself: an answer that is kept may be used on any machine. CompileError if no kernel has any."""
    arch = newest_architecture(capability)
    if arch is None:
        raise CompileError(f"PTX is not made for GPUs of compute capability {capability / 10}")
    (code,) = gpu_codes(made, (arch,))
    if not code.ptx:
        raise CompileError(code.refusal)
    kernels = [kernel for kernel in made.info.kernels if f".entry {kernel.signature.symbol}(" in code.ptx]
    rows = [_entry(kernel) for kernel in kernels]
    parameters = sum(len(kernel.signature.parameters) for kernel in kernels)
    ptx = code.ptx.encode()
    head = f"ptx {arch.removeprefix('sm_')} {len(rows)} {parameters} {len(ptx)}"
    described = _described(made.info, frozenset(), code.refusal)
    return "\n".join([head, *rows, ""]).encode() + ptx + f"\n{described}".encode(errors="surrogateescape")


def _entry(kernel: KernelInfo) -> str:
    signature = kernel.signature
    places = (f"{parameter.offset}\t{parameter.size}" for parameter in signature.parameters)
    return "\t".join([signature.symbol, str(kernel.shared_bytes), str(len(signature.parameters)), *places])


def _through_ptx(made: TranslatedUnit, cache: Cache) -> TranslatedUnit:
    """The program as its PTX makes it, as `program.source.through_ptx` does for Python."""
    text = Source(made.program.product("simulated-ptx", SIMULATED_GPU.arch))
    return translate(ptx_unit(text, GivenOptions()), made.program.options, cache)


def _part(request: OpenClRequest, cache: Cache) -> bytes:
    """Clang runs each time: what it includes may have changed, and it takes less time than the rest."""
    from lanewise.frontend.opencl.compile import clang_ir, require_options

    source, *headers = request.texts
    data = source.encode(errors="surrogateescape")
    unit = opencl_unit(Source(source, None), GivenOptions(options=request.options))
    if is_spirv(data):
        from lanewise.frontend.spirv.translate import spirv_program  # few programs come as SPIR-V

        require_options(unit.options)
        return _ir(cache, spirv_program(data), ())
    given: dict[str, str] = {}
    for name, text in zip(headers[::2], headers[1::2], strict=True):
        given.setdefault(name, text)
    made = clang_ir(source, None, unit.options, headers=given, is_part=True)
    return _ir(cache, made.text, made.warnings)


def _linked(request: OpenClRequest, cache: Cache) -> bytes:
    from lanewise.frontend.opencl.linked_program import linked_program

    return _ir(cache, linked_program(request.texts, is_library=request.work is OpenClWork.LINK_LIBRARY), ())


def _ir(cache: Cache, text: str, warnings: tuple[str, ...]) -> bytes:
    content = text.encode(errors="surrogateescape")
    path = _kept(cache, key("IR of OpenCL C", text), _IR, content)
    return "\n".join([f"ir {_one_line(path)}", *warnings, ""]).encode(errors="surrogateescape")


def _kept(cache: Cache, entry: str, name: str, content: bytes) -> Path:
    folder = cache.put(entry, {name: content})
    if folder is None:
        raise Error("there is no cache that could keep the program")
    return folder / name


def _one_line(path: Path) -> Path:
    if "\n" in str(path):
        raise Error("a folder of the cache has a line break")
    return path


def _library(made: TranslatedUnit, unit: OpenClUnit, entry: str, assumed: Assumed) -> bytes:
    from lanewise.cuda.objects.device_objects import device_objects  # what the cache has needs no compiler
    from lanewise.cuda.objects.loaded_image import loaded_library

    objects = device_objects(
        made,
        entry[:32],
        unit.name,
        dict,
        (),
        loaded=True,
        assumed=assumed,
        text=None if unit.is_linked else unit.text,
        splits=True,
    )
    return loaded_library(objects)


def _described(info: ProgramInfo, later: frozenset[str], *more: str) -> str:
    lines: list[str] = []
    for kernel in info.kernels:
        lines.append(_kernel(kernel, kernel.signature.symbol in later))
        lines += (
            _argument(parameter) for parameter in kernel.signature.parameters if not parameter.name.startswith(HIDDEN)
        )
    log = "\n".join([*info.warnings, *info.refused.values(), *filter(None, more)])
    return "\n".join([*lines, f"variables\t{info.global_bytes}", "log", log])


def _kernel(kernel: KernelInfo, is_later: bool) -> str:
    bounds = kernel.bounds
    block = bounds.block or (0, 0, 0)
    numbers = (
        *block,
        bounds.max_work_items or 0,
        kernel.shared_bytes,
        int(kernel.asks_dimensions),
        bounds.sub_group_size,
        int(is_later),
        int(bounds.has_uniform_groups),
        int(kernel.sees_groups),
        int(bounds.goes_along_y),
    )
    return "\t".join(["kernel", kernel.qualified, kernel.signature.symbol, *map(str, numbers), kernel.attributes])


def _argument(parameter: Parameter) -> str:
    words = (parameter.name, parameter.ctype, parameter.kind, parameter.address, parameter.access, parameter.qualifiers)
    return "\t".join(["argument", *words, str(parameter.size), str(parameter.offset)])
