# SPDX-License-Identifier: Apache-2.0
"""Files that the commands write: whole, or not at all."""

from __future__ import annotations

import importlib.util
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lanewise.errors import Error

if TYPE_CHECKING:  # NumPy takes longer to load than a kernel to compile, and not all write arrays
    from numpy.typing import NDArray

_IMAGE_SHAPES: Final = "images are u8 arrays of shape [height,width], [height,width,3] or [height,width,4]"


def write_bytes(name: str | os.PathLike[str], data: bytes) -> None:
    """Write the file `name`. A reader sees the old content or the new, never a part. Error if it can't be written."""
    path = Path(os.path.realpath(name))
    try:
        if path.exists() and not path.is_file():  # /dev/null, a pipe; a folder refuses
            path.write_bytes(data)
            return
        partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
        try:
            partial.write_bytes(data)
            os.replace(partial, path)
        except OSError:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise Error(f"{os.fspath(name)}: can't be written: {error.strerror}") from None


def check_array_file(path: Path, array: NDArray[Any]) -> None:
    """Raise an Error if `write_array` could not write `array` to `path`."""
    if path.suffix not in (".npy", ".png"):
        raise Error(f"{path}: arrays are written as .npy or .png files")
    if not path.parent.is_dir():
        raise Error(f"{path}: there is no folder {path.parent}")
    if path.suffix == ".png":
        fits = array.dtype == "uint8" and (array.ndim == 2 or (array.ndim == 3 and array.shape[2] in (3, 4)))
        if not fits or not array.size:
            raise Error(f"{path}: {_IMAGE_SHAPES}, and this one is {array.dtype} of shape {list(array.shape)}")
        if importlib.util.find_spec("PIL") is None:
            raise Error(f"{path}: writing images needs Pillow: pip install pillow") from None


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write `array` in the format of the file's ending. Error if it can't be written."""
    data = io.BytesIO()
    if path.suffix == ".npy":
        import numpy as np

        np.save(data, array, allow_pickle=False)
    else:
        from PIL import Image

        Image.fromarray(array).save(data, format="png")
    write_bytes(path, data.getvalue())
