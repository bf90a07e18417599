# SPDX-License-Identifier: Apache-2.0
"""Kernel IR in object files."""

from pathlib import Path

import pytest

from lanewise.cuda.objects.device_code import DeviceCode, codes_in, is_linked, object_of
from lanewise.errors import Error
from lanewise.toolchain import join_objects

A = DeviceCode("a.cu", "define void @a() {\n  ret void\n}\n", {"_Z1av": ((16, 16, 1), (64, 1, 1))})
B = DeviceCode("folder/b.cu", "; b\n" * 1000, {})


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def archive(*members: bytes) -> bytes:
    parts = [b"!<arch>\n"]
    for number, data in enumerate(members):
        parts.append(f"{number}/".encode().ljust(48) + str(len(data)).encode().ljust(10) + b"`\n")
        parts.append(data + b"\n" * (len(data) % 2))
    return b"".join(parts)


def test_an_object_has_what_was_put_into_it(tmp_path: Path) -> None:
    assert codes_in(written(tmp_path / "a.o", object_of(A))) == [A]
    assert codes_in(written(tmp_path / "b.o", object_of(B))) == [B]
    assert not is_linked(tmp_path / "a.o")


def test_joined_objects_have_both(tmp_path: Path) -> None:
    assert codes_in(written(tmp_path / "ab.o", join_objects([object_of(A), object_of(B)]))) == [A, B]


def test_members_of_a_static_library(tmp_path: Path) -> None:
    odd = object_of(A) + b"\0"
    assert codes_in(written(tmp_path / "lib.a", archive(odd, object_of(B), b"no object\n"))) == [A, B]


def test_other_files_have_none(tmp_path: Path) -> None:
    assert codes_in(written(tmp_path / "text", b"INPUT(a.o)\n")) == []
    assert codes_in(written(tmp_path / "empty", b"")) == []


def test_a_damaged_object_is_an_error(tmp_path: Path) -> None:
    data = object_of(A)
    with pytest.raises(Error, match=r"cut\.o: is damaged"):
        codes_in(written(tmp_path / "cut.o", data[: len(data) // 2]))
    with pytest.raises(Error, match="can't be read: No such file"):
        codes_in(tmp_path / "none.o")
