# SPDX-License-Identifier: Apache-2.0
"""What libcudart exports and needs, and how it is built and cached."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.cuda.runtime import elf

from lanewise.cache import Cache
from lanewise.cuda import libraries as cuda
from lanewise.cuda.driver_versions import versioned_names
from lanewise.errors import Error
from lanewise.frontend.cuda.prologue import HEADERS
from lanewise.toolchain import zig

CALLED_BY_PROGRAMS = """
cudaFree cudaMalloc cudaMemcpy cudaDeviceSynchronize cudaGetErrorString cudaMemset cudaMemcpyAsync cudaGetLastError
cudaFreeHost cudaGetDeviceProperties cudaStreamCreate cudaStreamDestroy cudaSetDevice cudaMallocHost
cudaStreamSynchronize cudaMallocManaged cudaDeviceGetAttribute cudaGetDeviceCount cudaMemcpyToSymbol
cudaPeekAtLastError cudaMemsetAsync cudaHostAlloc cudaEventDestroy cudaEventRecord cudaEventCreate cudaMemGetInfo
cudaEventSynchronize cudaDeviceReset cudaFuncSetAttribute cudaEventElapsedTime cudaGetDevice cudaMemcpyFromSymbol
cudaStreamWaitEvent cudaFuncSetCacheConfig cudaMallocPitch cudaStreamCreateWithFlags
"""
"""The functions that more than one of HeCBench's 529 CUDA programs calls, by how many do."""

CALLED_BY_CLANG = """
__cudaRegisterFatBinary __cudaRegisterFatBinaryEnd __cudaUnregisterFatBinary __cudaRegisterFunction __cudaRegisterVar
__cudaRegisterManagedVar __cudaRegisterSurface __cudaRegisterTexture __cudaPushCallConfiguration
__cudaPopCallConfiguration __cudaInitModule cudaLaunchKernel
__truncsfbf2 __truncdfbf2 __truncsfhf2 __truncdfhf2 __extendhfsf2
"""

OF_LIBC = """
__register_atfork __tls_get_addr aligned_alloc calloc clock_gettime close dl_iterate_phdr dladdr dlopen fclose fflush
fopen fprintf fputc fread free ftruncate fwrite getenv malloc memcpy memmove memset mmap mprotect munmap
pthread_getspecific pthread_key_create pthread_once pthread_self pthread_setspecific qsort realloc sched_yield strncmp
snprintf stderr stdout strcasecmp strcmp strlen strstr syscall sysconf vsnprintf write
"""
"""What the library may leave to libc. Nothing of a C++ library is in it."""


def declared() -> set[str]:
    """The functions that the headers of the API declare with C linkage."""
    found: set[str] = set()
    for path in (HEADERS / "lanewise").glob("host_*.h"):
        parts = path.read_text().split("__LW_BEGIN_C\n")[1:]
        for part in parts:
            text = part.split("__LW_END_C")[0]
            found |= set(re.findall(r"^[\w ]+[ *](__cuda\w+|__lwBind\w+|cuda\w+)\(", text, re.MULTILINE))
    return found


def of_own_streams() -> set[str]:
    """The names that functions have with per-thread default streams."""
    text = (HEADERS / "lanewise" / "per_thread_streams.h").read_text()
    return set(re.findall(r"^#define cuda\w+ (\w+)$", text, re.MULTILINE))


def of_driver() -> set[str]:
    """The functions of the driver API that there are."""
    headers = [HEADERS / "cuda.h", *(HEADERS / "lanewise").glob("driver_*.h")]
    text = "".join(path.read_text() for path in headers)
    return set(re.findall(r"^CUresult (cu\w+)\(", text, re.MULTILINE))


def of_drivers_library() -> set[str]:
    """The names that programs look for in the driver's library, and that its header doesn't declare."""
    refused = re.findall(r"^REFUSED\((\w+),", (cuda.SOURCES / "driver_refused.cpp").read_text(), re.MULTILINE)
    return {"cuGetProcAddress", *refused, *versioned_names({*of_driver(), *refused})}


OF_OBJECTS = "__lwRegisterImage __lwUnregisterImage"


def test_every_declared_function_is_exported(built: Path):
    exported = elf.defined((built / cuda.SHARED).read_bytes())
    assert len(declared()) > 240
    assert declared() - exported == set()
    assert len(of_own_streams()) > 50
    assert of_own_streams() - exported == set()
    assert len(of_driver() & exported) > 65
    assert of_drivers_library() - exported == set()
    assert set(CALLED_BY_PROGRAMS.split()) | set(CALLED_BY_CLANG.split()) | set(OF_OBJECTS.split()) <= exported


def test_nothing_else_is_exported(built: Path):
    exported = elf.defined((built / cuda.SHARED).read_bytes())
    known = (
        declared()
        | of_own_streams()
        | of_driver()
        | of_drivers_library()
        | set(CALLED_BY_CLANG.split())
        | set(OF_OBJECTS.split())
    )
    assert exported - known - {"libcudart.so.12"} == set()
    exported = elf.defined((built / cuda.HOST_RUNTIME).read_bytes())
    assert {name for name in exported if not name.startswith("lw_")} <= {"LANEWISE_1"}


def test_only_libc_and_the_host_runtime_are_needed(built: Path):
    undefined = elf.undefined((built / cuda.SHARED).read_bytes())
    assert {name for name in undefined if not name.startswith("lw_")} <= set(OF_LIBC.split())
    of_host_runtime = {name for name in undefined if name.startswith("lw_")}
    assert "lw_queue_launch" in of_host_runtime
    assert of_host_runtime <= elf.defined((built / cuda.HOST_RUNTIME).read_bytes())


def test_the_archive_defines_no_other_names(built: Path, tmp_path: Path):
    """Programs link it in: a name of ours must be none of theirs."""
    subprocess.run([str(zig()), "ar", "x", str(built / cuda.STATIC)], cwd=tmp_path, check=True)
    names = elf.defined((tmp_path / "cudart.o").read_bytes())
    ours = r"cuda|cu[A-Z]|__cuda|__lw|__trunc|__extend|_ZN?\w*9lw_cudart"
    assert {name for name in names if not re.match(ours, name)} == set()
    assert (built / cuda.STATIC).read_bytes().startswith(b"!<arch>\n/ ")  # a table of symbols
    assert (built / cuda.DEVICE_RUNTIME).read_bytes().startswith(b"!<arch>\n/ ")


def test_the_loader_finds_the_host_runtime_beside_it(built: Path):
    data = (built / cuda.SHARED).read_bytes()
    for text in (b"\0libcudart.so.12\0", b"\0liblanewise.so\0", b"\0$ORIGIN\0"):
        assert text in data


def test_libraries_are_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built: Path):
    object_file = cuda.compile_cudart()
    compiled: list[str] = []

    def compile_cudart() -> bytes:
        compiled.append("")
        return object_file

    monkeypatch.setattr(cuda, "compile_cudart", compile_cudart)
    first, second = cuda.library_folder(Cache(tmp_path)), cuda.library_folder(Cache(tmp_path))
    assert first == second
    assert compiled == [""]
    assert (first / cuda.SHARED).read_bytes() == (built / cuda.SHARED).read_bytes()
    with pytest.raises(Error, match="the cache, which is turned off"):
        cuda.library_folder(Cache(None))
