# SPDX-License-Identifier: Apache-2.0
"""Files that name the library to loaders, one for each loader.

| loader                                | reads                                                            |
| ------------------------------------- | ---------------------------------------------------------------- |
| of the system, Khronos' or ocl-icd    | `/etc/OpenCL/vendors/*.icd`, or the folder in `OCL_ICD_VENDORS`  |
| in pyopencl's wheel                   | `*.icd` in the folder `.libs` beside its module                  |
| in a conda environment                | `etc/OpenCL/vendors/*.icd` in the environment                    |

Source: The OpenCL Extension Specification, cl_khr_icd, "Installing ICDs on Linux".
"""

import os
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.cache import Cache
from lanewise.config import data_folder
from lanewise.errors import Error
from lanewise.opencl.library import NAME, platform_library

FILE: Final = "lanewise.icd"
_SYSTEM: Final = Path("/etc/OpenCL/vendors")


class LoaderFile(NamedTuple):
    """The file that a loader finds in a folder in which it looks, and whose loader that is."""

    loader: str
    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / FILE


def library_path() -> Path:
    """The file of the installed library: in the environment of this interpreter, or, where that is the system's, in the
    user's folder of data."""
    if _is_environment():
        return Path(sys.prefix, "lib", NAME)
    return data_folder() / "lanewise" / NAME


def loader_files(*, system: bool = False) -> list[LoaderFile]:
    """The places to install in: those of this environment, or, if wanted, the system's."""
    if system:
        return [LoaderFile("the system's loader", _SYSTEM)]
    own = Path(sys.prefix) if _is_environment() else library_path().parent
    found = [LoaderFile("loaders that OCL_ICD_VENDORS leads there", own / "etc" / "OpenCL" / "vendors")]
    if (Path(sys.prefix) / "conda-meta").is_dir():
        found = [LoaderFile("this conda environment's loader", own / "etc" / "OpenCL" / "vendors")]
    wheel = _folder_of_wheel()
    return [*found, LoaderFile("pyopencl's loader", wheel)] if wheel is not None else found


def install(cache: Cache, version: str, wanted: list[LoaderFile]) -> Path:
    """Write the library and a file at each place; returns the library's path. Error for what can't be written."""
    path = library_path()
    _write(path, platform_library(cache, version))
    for place in wanted:
        _write(place.file, f"{path}\n".encode())
    return path


def uninstall() -> list[Path]:
    """Remove the library, and the files that name it; returns what was there. Error for what can't be removed."""
    path = library_path()
    files = [place.file for place in [*loader_files(), *loader_files(system=True)] if names_library(place, path)]
    removed = [file for file in [*files, path] if file.exists()]
    for file in removed:
        try:
            file.unlink()
        except OSError as error:
            raise Error(f"{file} can't be removed: {error.strerror}") from None
    return removed


def names_library(place: LoaderFile, library: Path) -> bool:
    """True if the file at a place names the library."""
    try:
        return place.file.read_text().strip() == str(library)
    except (OSError, UnicodeDecodeError):
        return False


def _is_environment() -> bool:
    return sys.prefix != sys.base_prefix or (Path(sys.prefix) / "conda-meta").is_dir()


def _folder_of_wheel() -> Path | None:
    """The folder of the loader that pyopencl's wheel has; None if it isn't installed, or has none."""
    found = find_spec("pyopencl")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent / ".libs"
    return folder if any(folder.glob("libOpenCL*")) else None


def _write(path: Path, data: bytes) -> None:
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(data)
        os.replace(partial, path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise Error(f"{path} can't be written: {error.strerror}") from None
