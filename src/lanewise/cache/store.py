# SPDX-License-Identifier: Apache-2.0
"""The compile cache: a content-addressed store on disk.

    ROOT/v1/objects/3f/3f09.../          one entry, named by its key
                               INDEX     first line: digest of the rest; then one `size digest name` per file
                               kernel.so and any other files of the entry
    ROOT/v1/manifests/3f/3f09...         from headers to entries: see manifest.py
    ROOT/v1/partial/                     files being written or removed, by any process
    ROOT/v1/cuda-libraries/, cuda-home/, libcxx/  what CUDA programs are linked with: folders that their builds name
    ROOT/v1/swept                        its modification time is that of the last sweep

Invariants, which hold whenever a process is killed and for any number of concurrent writers:

1. A file under `objects` or `manifests` never changes after it has appeared: it was written under `partial`
   and renamed into its place, whole. A reader that has it open or mapped keeps it, even if it is evicted.
2. A file that a reader gets has the size and digest in INDEX; otherwise the entry is a miss and is removed. A process
   reads a large file once to tell, and again only if the file system says that it has changed. It doesn't rely on a
   file that has changed in the last seconds, which a further change may not show.
3. No error of the file system escapes: a full, read-only or forbidden disk has the effect of no cache.
4. Nothing is read from a folder that other users may write to, and folders are made for their owner alone.

An entry is stamped as used at most once per hour. A sweep removes the least recently used entries until three quarters
of the bound are left, and the files of killed processes under `partial`. It runs at most once per hour, or whenever
this process has written a sixteenth of the bound. Times in the future, from a wrong clock, count as long ago.
"""

import contextlib
import errno
import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from lanewise import locks
from lanewise.cache.folder import make_folder, refusal

DEFAULT_LIMIT = 2 << 30
"""Bytes that a store may hold: some 50,000 kernels."""

_LARGE = 1 << 18
"""Bytes of a file, such as a precompiled header, that isn't read again each time that someone asks for it."""

_TICK = 2.0
"""Greatest number of seconds that file systems round times of changes to."""

_INDEX = "INDEX"
_HOUR = 3600.0


class CacheInfo(NamedTuple):
    """Content of a store: `entries`, `bytes` with manifests, and its folder `path` (None: no cache)."""

    entries: int
    bytes: int
    path: Path | None


class Cache:
    """A store under the folder `root`, made at the first write. With `root` None it holds nothing. Neither does one
    whose folder can't be trusted (see `folder.py`), after a RuntimeWarning.

    All methods may be called from several threads and processes at once, and none raises `OSError`.
    """

    __slots__ = ("_base", "_limit", "_lock", "_serial", "_verified", "_written")

    def __init__(self, root: Path | None, limit: int = DEFAULT_LIMIT) -> None:
        self._base = None if root is None else _trusted(Path(root, "v1").absolute())
        self._limit = limit
        self._lock = locks.lock()
        self._serial = 0
        self._written = 0
        self._verified: dict[Path, tuple[object, ...]] = {}

    @property
    def base(self) -> Path | None:
        """The folder of this format's files inside the root; None if caching is off."""
        return self._base

    def get(self, key: str, name: str) -> Path | None:
        """The file `name` of the entry `key`, checked against its digest; None if there is none.

        The path stays valid until the entry is evicted: read or load it at once, and treat failure as a miss.
        """
        if self._base is None:
            return None
        entry = self._entry(key)
        try:
            index = _read_index(entry)
            if name not in index:
                return None
            if self._has(entry / name, index[name]):
                self._stamp(entry)
                return entry / name
        except (OSError, ValueError):
            if not os.path.isdir(entry):  # unlike Path's, it takes any name
                return None
        self._discard(entry)
        return None

    def _has(self, file: Path, expected: tuple[int, str]) -> bool:
        """True if a file has this size and digest, now or when this process has last read it."""
        status = os.stat(file)
        state = (*expected, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        if self._verified.get(file) == state:
            return True
        if _measure(file.read_bytes()) != expected:
            return False
        if status.st_size >= _LARGE and abs(time.time() - status.st_ctime) > _TICK:
            self._verified[file] = state
        return True

    def put(self, key: str, files: Mapping[str, bytes]) -> Path | None:
        """Store `files` as the entry `key`. Returns the entry's folder, or None if it could not be written.

        A valid entry of that key is kept, and its folder is the result.
        """
        if self._base is None:
            return None
        for name in files:
            if name == _INDEX or "/" in name or name in ("", ".", ".."):
                raise ValueError(f"{name!r} cannot name a file of a cache entry")
        partial = self._partial_name()
        entry = self._entry(key)
        try:
            make_folder(partial.parent)
            partial.mkdir(mode=0o700)
            for name, data in files.items():
                (partial / name).write_bytes(data)
            (partial / _INDEX).write_bytes(_index_text(files))
            make_folder(entry.parent)
            stored = self._move_into_place(partial, entry)
        except OSError:
            stored = False
        if not stored:
            _remove(partial)
            return None
        self.account(sum(len(data) for data in files.values()))
        return entry

    def write_file(self, path: Path, data: bytes) -> bool:
        """Write the file `path` inside `base`, whole or not at all. Returns True if it was written."""
        partial = self._partial_name()
        try:
            make_folder(partial.parent)
            make_folder(path.parent)
            partial.write_bytes(data)
            os.replace(partial, path)
        except OSError:
            _remove(partial)
            return False
        self.account(len(data))
        return True

    def info(self) -> CacheInfo:
        """The number of entries and their total bytes, by walking the store."""
        found = list(self._entries())
        manifests = sum(size for _, _, size in self._manifests())
        return CacheInfo(len(found), sum(size for _, _, size in found) + manifests, self._base)

    def sizes_of(self, name: str) -> list[int]:
        """The sizes of the files `name` in all entries, by walking the store."""
        found: list[int] = []
        for entry, _, _ in self._entries():
            with contextlib.suppress(OSError):  # most entries have no such file, and one may just have been evicted
                found.append(os.stat(entry / name).st_size)
        return found

    def clear(self) -> CacheInfo:
        """Remove everything, and return the content before. Loaded kernels of other processes stay loaded."""
        before = self.info()
        if self._base is not None:
            for folder in ("objects", "manifests", "partial", "cuda-libraries", "cuda-home", "libcxx"):
                _remove(self._base / folder)
        return before

    def account(self, size: int) -> None:
        """Count `size` bytes as written, and sweep the store if that is due."""
        with self._lock:
            self._written += size
            due = self._written > self._limit // 16 or self._hour_since_sweep()
            if due:
                self._written = 0
        if due:
            self.sweep()

    def sweep(self) -> None:
        """Evict the least recently used entries, if the bound is exceeded, and leftovers of killed processes."""
        if self._base is None:
            return
        now = time.time()
        try:
            make_folder(self._base)
            (self._base / "swept").write_bytes(b"")
        except OSError:
            return
        for path, used, _ in _listing(self._base / "partial"):
            if abs(now - used) > _HOUR:
                _remove(path)
        found = [*self._entries(), *self._manifests()]
        total = sum(size for _, _, size in found)
        if total <= self._limit:
            return
        for path, _, size in sorted(found, key=lambda item: item[1]):
            self._discard(path)
            total -= size
            if total <= self._limit // 4 * 3:
                return

    def _entry(self, key: str) -> Path:
        assert self._base is not None
        return self._base / "objects" / key[:2] / key

    def _partial_name(self) -> Path:
        """A name under `partial` that is unique among threads and processes, also on other machines or in
        containers."""
        assert self._base is not None
        with self._lock:
            self._serial += 1
            serial = self._serial
        return self._base / "partial" / f"{os.getpid()}-{serial}-{os.urandom(6).hex()}"

    def _move_into_place(self, partial: Path, entry: Path) -> bool:
        for _ in range(2):
            try:
                os.rename(partial, entry)
                return True
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                    raise
            if _is_sound(entry):
                _remove(partial)
                return True
            self._discard(entry)
        return False

    def _discard(self, path: Path) -> None:
        """Remove an entry or a manifest atomically: no reader sees half of it."""
        doomed = self._partial_name()
        for file in [each for each in list(self._verified) if each.parent == path]:
            self._verified.pop(file, None)
        try:
            make_folder(doomed.parent)
            os.rename(path, doomed)
        except OSError:
            return
        _remove(doomed)

    def _stamp(self, entry: Path) -> None:
        now = time.time()
        if abs(now - os.stat(entry).st_mtime) > _HOUR:
            try:
                os.utime(entry)
            except OSError:
                return  # A read-only store keeps its order of use.

    def _hour_since_sweep(self) -> bool:
        assert self._base is not None
        try:
            return abs(time.time() - os.stat(self._base / "swept").st_mtime) > _HOUR
        except OSError:
            return True

    def _entries(self) -> Iterator[tuple[Path, float, int]]:
        return self._leaves("objects")

    def _manifests(self) -> Iterator[tuple[Path, float, int]]:
        return self._leaves("manifests")

    def _leaves(self, kind: str) -> Iterator[tuple[Path, float, int]]:
        if self._base is not None:
            for folder, _, _ in _listing(self._base / kind):
                yield from _listing(folder)


def _trusted(base: Path) -> Path | None:
    why = refusal((base.parent, base, base / "objects", base / "manifests"))
    if why is None:
        return base
    import warnings  # a sound cache needs none

    warnings.warn(f"the compile cache is not used: {why}", RuntimeWarning, stacklevel=3)
    return None


def _index_text(files: Mapping[str, bytes]) -> bytes:
    lines: list[str] = []
    for name, data in files.items():
        size, digest = _measure(data)
        lines.append(f"{size} {digest} {name}\n")
    body = "".join(lines).encode()
    return hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def _read_index(entry: Path) -> dict[str, tuple[int, str]]:
    """Content of the entry: name to size and digest. ValueError if INDEX is damaged."""
    head, _, body = (entry / _INDEX).read_bytes().partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != head:
        raise ValueError("broken index")
    index: dict[str, tuple[int, str]] = {}
    for line in body.decode().splitlines():
        size, digest, name = line.split(" ", 2)
        index[name] = (int(size), digest)
    return index


def _is_sound(entry: Path) -> bool:
    try:
        index = _read_index(entry)
        return all(_measure((entry / name).read_bytes()) == expected for name, expected in index.items())
    except (OSError, ValueError):
        return False


def _measure(data: bytes) -> tuple[int, str]:
    return len(data), hashlib.sha256(data).hexdigest()


def _listing(folder: Path) -> Iterator[tuple[Path, float, int]]:
    """Each item in `folder`: path, modification time, size including the files in it. Empty on an error."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    status = entry.stat(follow_symlinks=False)
                    size = status.st_size
                    if entry.is_dir(follow_symlinks=False):
                        with os.scandir(entry.path) as files:
                            size = sum(file.stat(follow_symlinks=False).st_size for file in files)
                except OSError:
                    continue  # Another process has just removed it.
                yield Path(entry.path), status.st_mtime, size
    except OSError:
        return


def _remove(path: Path) -> None:
    """Remove a file or a folder with its content, as far as possible."""
    try:
        if not path.is_dir():
            path.unlink()
            return
        with os.scandir(path) as entries:
            for entry in entries:
                _remove(Path(entry.path))
        path.rmdir()
    except OSError:
        return
