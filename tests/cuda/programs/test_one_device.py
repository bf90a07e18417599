# SPDX-License-Identifier: Apache-2.0
"""Libraries with the static runtime in them, loaded by one program: they have one device."""

import subprocess
import sys
from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.cuda import libraries
from lanewise.cuda.nvcc.driver import main
from lanewise.cuda.nvcc.steps import SYSTEM_LIBRARIES
from lanewise.cuda.objects.host_compiler import HostCompiler

HERE = Path(__file__).parent

_EXPORTED = "{ global: make; make_stream; add_in; give_back; free_bytes; local: *; };"
"""All else is hidden, as version scripts of real libraries do it: the two copies don't see each other's names."""

_LOAD = """
import _ctypes, ctypes, sys
def load(path):
    library = ctypes.CDLL(path)  # RTLD_LOCAL
    for name in ("make", "make_stream"):
        getattr(library, name).restype = ctypes.c_void_p
    library.free_bytes.restype = ctypes.c_long
    library.add_in.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
    library.give_back.argtypes = (ctypes.c_void_p,)
    return library
first, second = map(load, sys.argv[1:])
p = first.make(30)
"""

_SHARE = """
assert second.free_bytes() == first.free_bytes()
stream = first.make_stream()
print(second.add_in(stream, p), first.add_in(None, p), second.make(1) != p)
_ctypes.dlclose(first._handle)
print(second.add_in(stream, p), second.give_back(p), second.give_back(p))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, compiler: HostCompiler) -> Path:
    """A folder with first.so, second.so, and a shared.so that needs libcudart.so, linked as build systems do it."""
    folder = tmp_path_factory.mktemp("libraries")
    runtime = libraries.library_folder(Cache(from_environment().cache_dir or folder / "cache"))
    script = folder / "exported"
    script.write_text(_EXPORTED)
    for name, added in (("first", 1), ("second", 10)):
        words = ["-c", "-Xcompiler", "-fPIC", f"-DADDED={added}", str(HERE / "one_device.cu")]
        assert main([*words, "-o", str(folder / f"{name}.o")]) == 0
    for name, object_name, cudart in (
        ("first", "first", "-lcudart_static"),
        ("second", "second", "-lcudart_static"),
        ("shared", "second", "-lcudart"),
    ):
        words = ["-shared", "-o", str(folder / f"{name}.so"), str(folder / f"{object_name}.o")]
        words += [f"-L{runtime}", f"-Wl,-rpath,{runtime}", f"-Wl,--version-script={script}", "-Wl,--gc-sections"]
        subprocess.run(compiler.linking([*words, cudart, *SYSTEM_LIBRARIES]), check=True)
    return folder


def run(code: str, *libraries: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-I", "-c", _LOAD + code, *map(str, libraries)]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("names", [("first", "second"), ("first", "shared"), ("shared", "first")])
def test_memory_and_streams_of_one_are_valid_in_the_other(folder: Path, names: tuple[str, str]):
    done = run(_SHARE, *(folder / f"{name}.so" for name in names))
    first, second = (1 if name == "first" else 10 for name in names)
    value = 30 + first
    shown = f"{value + second} {value + second + first} True\n{value + 2 * second + first} 0 1\n"
    assert (done.returncode, done.stdout) == (0, shown), done.stderr
    assert "has been freed already" in done.stderr


def test_copies_of_other_builds_stay_apart(folder: Path):
    data = (folder / "second.so").read_bytes()
    build = bytes.fromhex(libraries.build_of_cudart())
    assert data.count(build) == 1
    other = folder / "other.so"
    other.write_bytes(data.replace(build, bytes(len(build))))
    done = run("print(second.add_in(None, second.make(1)), second.give_back(p))", folder / "first.so", other)
    assert (done.returncode, done.stdout) == (0, "21 1\n"), done.stderr
    assert f"lanewise: {other}: the CUDA runtime in it is of another build of Lanewise than that in" in done.stderr
