# SPDX-License-Identifier: Apache-2.0
"""Saved modules that can't be loaded: each says which file, what it needs and what is there."""

import errno
import hashlib
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.backend.host.features import instruction_sets
from lanewise.device.cpu.saving import requirements
from lanewise.llvm import Machine
from lanewise.program.saved import lwo
from lanewise.workgroup.layout import abi

SOURCE = 'extern "C" __global__ void k(int *y) { y[threadIdx.x] = threadIdx.x; }'


@pytest.fixture
def path(tmp_path: Path, compile_cuda: Callable[[str], lw.Module]) -> Path:
    """A saved module."""
    path = tmp_path / "k.lwo"
    compile_cuda(SOURCE).save(path)
    return path


def rewrite(path: Path, **changed: Any) -> None:
    """Write the file anew, sound but with other needs."""
    content = lwo.read(path)
    lwo.write(path, content.about | {"needs": content.about["needs"] | changed}, content.files)


def refusal(path: Path) -> str:
    with pytest.raises(lw.Error) as error:
        lw.load(path)
    assert str(error.value).startswith(str(path))
    return str(error.value).removeprefix(str(path))


def test_what_is_no_saved_module(tmp_path: Path):
    missing = tmp_path / "missing.lwo"
    assert refusal(missing) == ": no such file"
    assert "can't be read" in refusal(tmp_path)
    for content in (b"", b"\x93LW", b"// PTX", b"\x93LWO\n\x1a\n" + bytes(100)):  # the last: sent as text
        (tmp_path / "other").write_bytes(content)
        assert "is not a module that Lanewise saved" in refusal(tmp_path / "other")
    with pytest.raises(lw.Error, match="named by a path"):
        lw.load(3)  # pyright: ignore[reportArgumentType] : the mistake


def test_a_file_that_is_cut_short(path: Path):
    whole = path.read_bytes()
    for length in (8, 20, 55, 56, 1000, len(whole) - 1):
        path.write_bytes(whole[:length])
        assert "is cut short" in refusal(path)


def test_a_damaged_file(path: Path):
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    places = [16, 47, 48, 52, 56, 60, len(whole) - 1, *(int(p) for p in rng.integers(56, len(whole), 40))]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        assert "is damaged" in refusal(path)
    path.write_bytes(whole + b"more")
    assert "is damaged" in refusal(path)


def test_a_file_made_by_hand_with_a_right_checksum(path: Path):
    def made(version: int, directory: bytes, rest: bytes = b"") -> bytes:
        body = struct.pack("<II", version, len(directory)) + directory + rest
        return struct.pack("<8sQ32s", lwo.SIGNATURE, 48 + len(body), hashlib.sha256(body).digest()) + body

    path.write_bytes(made(7, b"{}"))
    assert "has version 7 of the format, and this Lanewise reads up to version 1" in refusal(path)
    directories = [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        b'{"about": 3, "files": []}',
        b'{"about": {}, "files": [[1]]}',
        b'{"about": {}, "files": [["a", "b"]]}',
        b'{"about": {}, "files": [["a", -4]]}',
    ]
    for directory in directories:
        path.write_bytes(made(1, directory))
        assert refusal(path)
    path.write_bytes(made(1, json.dumps({"about": {"made by": "lanewise-9"}, "files": []}).encode()))
    assert "was saved by lanewise-9, which describes modules in another way" in refusal(path)


def test_another_architecture(path: Path):
    rewrite(path, architecture="riscv64")
    assert "holds code for riscv64 processors; this host is " in refusal(path)


def test_missing_instruction_sets_are_named(path: Path):
    rewrite(path, **{"instruction sets": [*instruction_sets(), "avx9999", "tensors"]})
    message = refusal(path)
    assert "needs a processor with avx9999, tensors, which this host has not; it has " in message
    rewrite(path, **{"instruction sets": sorted(instruction_sets())[1:]})
    lw.load(path)  # a processor with more will do


def test_another_interface_of_the_runtime(path: Path):
    rewrite(path, **{"interface of the runtime": abi.VERSION + 1})
    assert "Save the module with this version of Lanewise" in refusal(path)
    rewrite(path, **{"interface of the runtime": abi.VERSION, "services of the runtime": 1 << 20})
    assert "Save the module with this version of Lanewise" in refusal(path)
    rewrite(path, **{"services of the runtime": 0})
    lw.load(path)  # an older version of the same interface


def test_a_module_of_another_version_of_lanewise_is_loaded(path: Path):
    content = lwo.read(path)
    lwo.write(path, content.about | {"made by": "lanewise-0.0.1 ziglang-0 llvmlite-0"}, content.files)
    y = np.zeros(4, np.int32)
    lw.load(path)["k"][1, 4](y)
    assert y.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["cpu/k/any/all.json", "cpu/variables.json", "program.json"])
@pytest.mark.parametrize("data", [b"", b"[1]", b"[[1]]", b"3"])
def test_descriptions_of_another_form(path: Path, name: str, data: bytes):
    content = lwo.read(path)
    assert name in content.files
    lwo.write(path, content.about, content.files | {name: data})
    assert "describes modules in another way; save it again" in refusal(path)


def test_code_that_the_loader_refuses(path: Path):
    content = lwo.read(path)
    files = {name: b"no object" if name.endswith(".so") else data for name, data in content.files.items()}
    lwo.write(path, content.about, files)
    with pytest.raises(lw.Error, match=r"k\.lwo: the machine code of kernel k can't be loaded here: "):
        lw.load(path)["k"][1, 1](np.zeros(1, np.int32))


def test_vector_extensions_of_the_compiler_are_required():
    """Each that LLVM takes this processor to have is among the needs of what is saved here."""
    linux = {"sse3": "pni", "lzcnt": "abm", "bmi": "bmi1", "sha": "shani", "pclmul": "pclmulqdq"}
    wanted = ("sse", "avx", "fma", "bmi", "gfni", "vaes", "vpclmul", "lzcnt", "popcnt", "f16c", "sha", "adx", "pclmul")
    told = [f[1:] for f in Machine.host().features.split(",") if f.startswith("+") and f[1:].startswith(wanted)]
    needs = {name.replace("_", "") for name in requirements()["instruction sets"]}
    missing = [f for f in told if linux.get(f, f).replace(".", "").replace("-", "") not in needs]
    # AVX10.1 is a version of what the names of AVX-512 stand for; Linux doesn't tell it everywhere that LLVM sees it.
    assert [f for f in missing if f not in ("shstk", "avx10.1")] == []


# -- writing -----------------------------------------------------------------------------------------------------------


def test_a_file_is_replaced_whole_and_a_link_followed(path: Path, tmp_path: Path, compile_cuda: Any):
    link = tmp_path / "link.lwo"
    link.symlink_to(path.name)
    path.write_bytes(b"old")
    compile_cuda(SOURCE).save(link)
    assert link.is_symlink()
    lw.load(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["k.lwo", "link.lwo"]


def test_a_file_that_can_not_be_written(path: Path, tmp_path: Path, compile_cuda: Any, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(lw.Error, match=r"absent/k\.lwo: can't be written: No such file or directory"):
        compile_cuda(SOURCE).save(tmp_path / "absent" / "k.lwo")

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = path.read_bytes()
    monkeypatch.setattr("lanewise.program.saved.lwo.os.replace", full)
    with pytest.raises(lw.Error, match=r"k\.lwo: can't be written: No space left on device"):
        compile_cuda(SOURCE).save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["k.lwo"]
