# SPDX-License-Identifier: Apache-2.0
"""The format of saved modules: one file that holds named files, checked as a whole.

     0   8 bytes   signature: 93 4C 57 4F 0D 0A 1A 0A, which a transfer as text would change
     8   8 bytes   length of the whole file
    16  32 bytes   SHA-256 of all that follows
    48   4 bytes   version of the format
    52   4 bytes   length of the directory
    56             directory: JSON, {"about": {...}, "files": [[name, length], ...]}
                   the files, one after the other

Numbers are little-endian. The first 52 bytes mean the same in all versions. What is read is bytes and JSON: nothing
in it is executed here.
"""

import contextlib
import hashlib
import json
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from lanewise.errors import Error

SIGNATURE: Final = b"\x93LWO\r\n\x1a\n"
VERSION: Final = 1

_HEAD: Final = struct.Struct("<8sQ32s")
_VERSIONS: Final = struct.Struct("<II")


class Content(NamedTuple):
    """`about`: what JSON can say. `digest`: SHA-256 of the content, in hexadecimal digits."""

    about: dict[str, Any]
    files: dict[str, bytes]
    digest: str


def packed(about: Mapping[str, Any], files: Mapping[str, bytes]) -> bytes:
    """The bytes of a file."""
    directory = json.dumps({"about": about, "files": [[name, len(data)] for name, data in files.items()]}).encode()
    body = b"".join([_VERSIONS.pack(VERSION, len(directory)), directory, *files.values()])
    return _HEAD.pack(SIGNATURE, _HEAD.size + len(body), hashlib.sha256(body).digest()) + body


def write(path: Path, about: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """Write the file, or the target of a link of this name, whole or not at all. Error if it can't be written."""
    replace(path, packed(about, files))


def replace(path: Path, data: bytes) -> None:
    """Write a file of these bytes. Otherwise as `write`."""
    path = Path(os.path.realpath(path))
    partial = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(6).hex()}")
    try:
        with open(partial, "xb") as file:
            file.write(data)
        os.replace(partial, path)
    except OSError as error:
        raise Error(f"{path}: can't be written: {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()


def read(path: Path) -> Content:
    """The content of a file. Error if it can't be read, or as `unpacked`."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise Error(f"{path}: no such file") from None
    except OSError as error:
        raise Error(f"{path}: can't be read: {error.strerror}") from None
    return unpacked(data, str(path))


def unpacked(data: bytes, path: str) -> Content:
    """The content of a file of these bytes, called `path`. Error if it is no such file, not whole, or of a newer
    format."""
    if not data.startswith(SIGNATURE):
        raise Error(
            f"{path} is not a module that Lanewise saved; what mod.save() or lanewise compile -o K.lwo writes is"
        )
    if len(data) < _HEAD.size + _VERSIONS.size:
        raise Error(f"{path} is cut short: {len(data)} bytes are not even its head")
    _, length, digest = _HEAD.unpack_from(data)
    if len(data) < length:
        raise Error(f"{path} is cut short: {len(data)} of {length} bytes are there")
    body = memoryview(data)[_HEAD.size :]
    if hashlib.sha256(body).digest() != digest:
        raise Error(f"{path} is damaged: its content is not what was saved, by its checksum")
    version, directory_length = _VERSIONS.unpack_from(body)
    if version > VERSION:
        raise Error(
            f"{path} has version {version} of the format, and this Lanewise reads up to version {VERSION}: load it "
            "with a newer Lanewise, or save it with this one"
        )
    place = _VERSIONS.size + directory_length
    try:
        directory = json.loads(bytes(body[_VERSIONS.size : place]))
        files: dict[str, bytes] = {}
        for name, size in directory["files"]:
            files[name] = bytes(body[place : place + size])
            place += size
        about = dict(directory["about"])
    except (ValueError, TypeError, KeyError):
        raise Error(f"{path} is damaged: its directory can't be read") from None
    return Content(about, files, digest.hex())
