# SPDX-License-Identifier: Apache-2.0
"""The folders of a cache: made for their owner alone, and not used if others may write to them.

Machine code is loaded from a cache. Whoever can write there can run code as the user of the cache.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path


def refusal(folders: Iterable[Path]) -> str | None:
    """The reason why these folders can't be trusted, as a clause that names the first bad one; None if all can.

    A folder must belong to this process's user, or to root, and neither its group nor others may write to it. Folders
    that don't exist, or can't be examined, are no reason: nothing is loaded from there.
    """
    for folder in folders:
        try:
            status = os.stat(folder)
        except (OSError, ValueError):
            continue
        if status.st_uid not in (os.geteuid(), 0):
            return f"{folder} belongs to another user"
        if stat.S_ISDIR(status.st_mode) and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return f"other users may write to {folder} (chmod go-w makes it safe)"
    return None


def make_folder(folder: Path) -> None:
    """Make `folder` and the parents that it lacks, all for their owner alone, whatever the umask. OSError."""
    try:
        folder.mkdir(mode=0o700)
    except FileNotFoundError:
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
    except FileExistsError:
        if not folder.is_dir():
            raise
