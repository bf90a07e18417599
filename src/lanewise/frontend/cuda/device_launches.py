# SPDX-License-Identifier: Apache-2.0
"""Dynamic parallelism, which there is none of: launches of kernels from device code, and calls there of the part of
NVIDIA's runtime that serves them. Clang's errors come without its advice to use an option that would not help, and
without the function that such launches would call.

With relocatable device code clang takes a launch in a lambda of host code for one from device code. So the function has
to be declared (`device_launches.h`), and a call of it that is left in the IR is a real one.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.errors import CompileError

_CLANGS: Final = (
    "kernel launch from __device__ or __global__ function requires relocatable device code (i.e. requires -fgpu-rdc)",
    "use of undeclared identifier cudaLaunchDevice",
)
_WHY: Final = "dynamic parallelism is not supported"
_OURS: Final = f"kernels can't be launched from device code: {_WHY}"
_CALLED: Final = "can't be called from device code: "
_RUNTIME: Final = frozenset({
    "cudaDeviceGetAttribute", "cudaDeviceGetCacheConfig", "cudaDeviceGetLimit", "cudaDeviceGetSharedMemConfig",
    "cudaDeviceSynchronize", "cudaEventCreateWithFlags", "cudaEventDestroy", "cudaEventRecord",
    "cudaEventRecordWithFlags", "cudaFree", "cudaFuncGetAttributes", "cudaGetDevice", "cudaGetDeviceCount",
    "cudaGetErrorName", "cudaGetErrorString", "cudaGetLastError", "cudaGraphLaunch", "cudaMalloc",
    "cudaMemcpy2DAsync", "cudaMemcpy3DAsync", "cudaMemcpyAsync", "cudaMemset2DAsync", "cudaMemset3DAsync",
    "cudaMemsetAsync", "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "cudaPeekAtLastError", "cudaRuntimeGetVersion",
    "cudaStreamCreateWithFlags", "cudaStreamDestroy", "cudaStreamWaitEvent",
})  # fmt: skip
"""The functions of NVIDIA's runtime that device code may call on a GPU. Source: CUDA C++ Programming Guide 13.0, "CUDA
Dynamic Parallelism", section "API Reference"."""
_NO_FUNCTION: Final = re.compile(r"no matching function for call to '(\w+)'")
_ON_HOST: Final = "note: candidate function not viable: call to __host__ function from __"
_NOTE: Final = re.compile(rf"[^\n ][^\n]*{_ON_HOST}[^\n]*\n(?: [^\n]*\n)*")
_TWICE: Final = re.compile(rf"([^\n]*{_OURS}\n(?: [^\n]*\n)*)\1")


_CALL: Final = re.compile(r"call [^\n]*@cudaLaunchDevice\([^\n]*?(?:, !dbg !(\d+))?$", re.MULTILINE)
_PLACE: Final = r"^!{} = (?:distinct )?!DILocation\(line: (\d+), column: (\d+), scope: !(\d+)"
_SCOPE: Final = r"^!{} = (?:distinct )?!DI(?:LexicalBlock|LexicalBlockFile|Subprogram)\(.*?\bfile: !(\d+)"
_FILE: Final = r"^!{} = !DIFile\(filename: \"(.*?)\""


def refused(text: str, name: str) -> None:
    """CompileError if the LLVM IR `text`, made of the source called `name`, launches a kernel."""
    found = _CALL.search(text)
    if found is None:
        return
    place = name
    if found[1] is not None and (at := re.search(_PLACE.format(found[1]), text, re.MULTILINE)):
        place = f"{_file(text, at[3]) or name}:{at[1]}:{at[2]}"
    message = f"{place}: error: {_OURS}"
    raise CompileError(message, (message,))


def _file(text: str, scope: str) -> str | None:
    """The file of a scope of debug information."""
    number = re.search(_SCOPE.format(scope), text, re.MULTILINE)
    file = number and re.search(_FILE.format(number[1]), text, re.MULTILINE)
    return file[1] if file else None


def explained(error: CompileError) -> CompileError:
    """`error` in our words, if it is about dynamic parallelism."""
    text = str(error) + "\n"
    calls = {found for found in _NO_FUNCTION.findall(text) if found in _RUNTIME} if _ON_HOST in text else set[str]()
    if not calls and not any(clangs in text for clangs in _CLANGS):
        return error

    def plain(text: str) -> str:
        for clangs in _CLANGS:
            text = text.replace(clangs, _OURS)
        return _NO_FUNCTION.sub(lambda call: f"{call[1]} {_CALLED}{_WHY}" if call[1] in calls else call[0], text)

    def is_candidate(text: str) -> bool:
        """It is the note of a host function, which one of the errors is about."""
        return bool(calls) and _ON_HOST in text

    text = _NOTE.sub("", text) if calls else text
    message = _TWICE.sub(r"\1", plain(text)).removesuffix("\n")
    kept = (each for each in error.diagnostics if not is_candidate(each))
    return CompileError(message, tuple(dict.fromkeys(map(plain, kept))))
