# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/cache/test_store.py"""

import multiprocessing
import os
import resource
import signal
import threading
import time
from pathlib import Path

import pytest

from lanewise.cache import Cache, key, store

KEY = "ab" + "0" * 62
OTHER = "cd" + "1" * 62


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "store")


def partial(cache: Cache) -> list[Path]:
    assert cache.base is not None
    return sorted((cache.base / "partial").iterdir())


def test_get_gives_what_was_put(cache: Cache):
    entry = cache.put(KEY, {"k.so": b"code", "k.json": b"{}"})
    found = cache.get(KEY, "k.so")
    assert entry is not None
    assert found is not None
    assert found == entry / "k.so"
    assert found.read_bytes() == b"code"
    assert cache.get(KEY, "k.json") == entry / "k.json"
    assert partial(cache) == []


def test_misses(cache: Cache):
    assert cache.get(KEY, "k.so") is None
    cache.put(KEY, {"k.so": b"code"})
    assert cache.get(KEY, "other") is None
    assert cache.get(OTHER, "k.so") is None
    assert cache.get(KEY, "k.so") is not None


def test_first_of_two_sound_entries_stays(cache: Cache):
    cache.put(KEY, {"k.so": b"first"})
    entry = cache.put(KEY, {"k.so": b"second"})
    assert entry is not None
    assert (entry / "k.so").read_bytes() == b"first"
    assert partial(cache) == []


@pytest.mark.parametrize("name", ["", "a/b", "..", "INDEX"])
def test_names_that_could_escape_are_refused(cache: Cache, name: str):
    with pytest.raises(ValueError, match="cannot name a file"):
        cache.put(KEY, {name: b""})


def truncate(entry: Path):
    (entry / "k.so").write_bytes(b"co")


def flip_a_byte(entry: Path):
    (entry / "k.so").write_bytes(b"cOde")


def empty_the_index(entry: Path):
    (entry / "INDEX").write_bytes(b"")


def flip_the_index(entry: Path):
    (entry / "INDEX").write_bytes((entry / "INDEX").read_bytes().replace(b"4 ", b"5 "))


def remove_the_file(entry: Path):
    (entry / "k.so").unlink()


def remove_the_index(entry: Path):
    (entry / "INDEX").unlink()


@pytest.mark.parametrize(
    "damage", [truncate, flip_a_byte, empty_the_index, flip_the_index, remove_the_file, remove_the_index]
)
def test_a_broken_entry_is_a_miss_and_can_be_written_again(cache: Cache, damage):
    entry = cache.put(KEY, {"k.so": b"code"})
    assert entry is not None
    damage(entry)
    assert cache.get(KEY, "k.so") is None
    assert not entry.exists()
    cache.put(KEY, {"k.so": b"code"})
    found = cache.get(KEY, "k.so")
    assert found is not None
    assert found.read_bytes() == b"code"


def test_a_large_file_is_read_once_to_tell_that_it_is_whole(cache: Cache, monkeypatch: pytest.MonkeyPatch):
    cache.put(KEY, {"header.pch": bytes(1 << 18), "words.txt": b"few"})
    read: list[int] = []
    measure = store._measure
    monkeypatch.setattr(store, "_measure", lambda data: read.append(len(data)) or measure(data))
    assert cache.get(KEY, "header.pch") is not None
    assert cache.get(KEY, "header.pch") is not None
    assert read == [1 << 18] * 2, "it has just changed, and may change again at the same time"
    monkeypatch.setattr(store, "_TICK", 0.0)
    for _ in range(3):
        assert cache.get(KEY, "header.pch") is not None
        assert cache.get(KEY, "words.txt") is not None
    assert read == [1 << 18] * 3 + [3] * 3


@pytest.mark.parametrize("damage", [truncate, flip_a_byte, remove_the_file])
@pytest.mark.parametrize("tick", [0.0, 2.0])
def test_a_large_file_that_breaks_after_it_was_read_is_a_miss(
    cache: Cache, damage, tick: float, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(store, "_TICK", tick)
    entry = cache.put(KEY, {"k.so": bytes(1 << 18)})
    assert entry is not None
    assert cache.get(KEY, "k.so") is not None
    time.sleep(0.02)  # more than the clock of a file system may stand still
    damage(entry)
    assert cache.get(KEY, "k.so") is None
    assert not entry.exists()


def test_put_replaces_a_broken_entry(cache: Cache):
    entry = cache.put(KEY, {"k.so": b"code"})
    assert entry is not None
    truncate(entry)
    cache.put(KEY, {"k.so": b"code"})
    assert (entry / "k.so").read_bytes() == b"code"
    assert partial(cache) == []


def test_a_file_in_place_of_the_entry_is_replaced(cache: Cache):
    assert cache.base is not None
    path = cache.base / "objects" / KEY[:2] / KEY
    path.parent.mkdir(parents=True)
    path.write_bytes(b"")
    assert cache.get(KEY, "k.so") is None
    assert cache.put(KEY, {"k.so": b"code"}) is not None
    assert cache.get(KEY, "k.so") is not None


def test_no_root_is_no_cache():
    cache = Cache(None)
    assert cache.put(KEY, {"k.so": b"code"}) is None
    assert cache.get(KEY, "k.so") is None
    assert cache.info() == (0, 0, None)
    assert cache.clear() == (0, 0, None)


def test_a_file_where_the_root_should_be_is_no_cache(tmp_path: Path):
    (tmp_path / "store").write_bytes(b"")
    cache = Cache(tmp_path / "store")
    assert cache.put(KEY, {"k.so": b"code"}) is None
    assert cache.get(KEY, "k.so") is None
    assert cache.info().entries == 0


def test_a_folder_that_cannot_be_written_is_no_cache():
    cache = Cache(Path("/proc/lanewise"))
    assert cache.put(KEY, {"k.so": b"code"}) is None
    assert cache.get(KEY, "k.so") is None


def test_a_full_disk_is_no_cache(cache: Cache):
    # A limit on the size of files stands in for a full disk: writes fail in the middle with an OSError.
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        assert cache.put(KEY, {"k.so": bytes(5000)}) is None
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert cache.get(KEY, "k.so") is None
    assert partial(cache) == []


def test_info_and_clear(cache: Cache):
    cache.put(KEY, {"k.so": bytes(1000)})
    cache.put(OTHER, {"k.so": bytes(500), "k.json": bytes(500)})
    info = cache.info()
    assert info.entries == 2
    assert 2000 <= info.bytes <= 3000
    assert info.path == cache.base
    assert cache.clear() == info
    assert cache.info().entries == 0
    assert cache.get(KEY, "k.so") is None


def test_what_was_used_longest_ago_is_evicted(tmp_path: Path):
    cache = Cache(tmp_path, limit=10_000)
    keys = [key(str(i)) for i in range(8)]
    for age, name in enumerate(keys):
        entry = cache.put(name, {"k.so": bytes(1000)})
        assert entry is not None
        when = time.time() - 1000 * (10 - age)
        os.utime(entry, (when, when))
    cache.sweep()
    assert cache.info().entries == 8  # within the bound with INDEX files
    oldest = cache.get(keys[0], "k.so")  # a use, which makes it the youngest
    assert oldest is not None
    cache.put(key("one more"), {"k.so": bytes(1000)})
    cache.sweep()
    assert cache.info().bytes <= 7500
    assert cache.get(keys[0], "k.so") is not None
    assert cache.get(keys[1], "k.so") is None
    assert cache.get(keys[7], "k.so") is not None


def test_the_store_stays_bounded_by_itself(tmp_path: Path):
    cache = Cache(tmp_path, limit=20_000)
    for i in range(60):
        cache.put(key(str(i)), {"k.so": bytes(1000)})
    assert cache.info().bytes < 23_000


def test_leftovers_of_killed_processes_go_after_an_hour(cache: Cache):
    assert cache.base is not None
    for name, age in (("old", 3700), ("young", 10)):
        left = cache.base / "partial" / name
        left.mkdir(parents=True)
        (left / "k.so").write_bytes(b"half")
        os.utime(left, (time.time() - age, time.time() - age))
    cache.sweep()
    assert [path.name for path in partial(cache)] == ["young"]


def _write_often(root: Path, seed: int):
    cache = Cache(root)
    for i in range(40):
        name = key(str(i))
        cache.put(name, {"k.so": f"{i}".encode() * 1000, "who": f"{seed}".encode()})
        found = cache.get(name, "k.so")
        assert found is not None
        assert found.read_bytes() == f"{i}".encode() * 1000


def test_two_processes_write_the_same_entries(tmp_path: Path):
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_write_often, args=(tmp_path, seed)) for seed in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0]
    assert Cache(tmp_path).info().entries == 40
    assert partial(Cache(tmp_path)) == []


def test_threads_write_and_break_the_same_entries(cache: Cache):
    wrong: list[bytes] = []

    def work(seed: int):
        for i in range(60):
            name = key(str(i % 5))
            entry = cache.put(name, {"k.so": b"code" * 100})
            if seed == 0 and entry is not None and i % 7 == 0:
                try:
                    (entry / "k.so").write_bytes(b"broken")
                except OSError:
                    continue
            found = cache.get(name, "k.so")
            if found is not None and seed != 0:
                try:
                    data = found.read_bytes()
                except FileNotFoundError:
                    continue
                if data not in (b"code" * 100, b"broken", b""):
                    wrong.append(data)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_kill_in_the_middle_of_a_write(tmp_path: Path):
    """Whenever a writer dies, every entry that can be found is whole."""
    for delay in (0.002, 0.005, 0.01, 0.02):
        child = os.fork()
        if child == 0:
            cache = Cache(tmp_path)
            for i in range(10_000):
                cache.put(key(str(i)), {"k.so": b"x" * 20_000, "more": b"y" * 20_000})
            os._exit(0)
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    cache = Cache(tmp_path)
    found = [cache.get(key(str(i)), "more") for i in range(cache.info().entries)]
    assert all(path is not None and path.read_bytes() == b"y" * 20_000 for path in found)
