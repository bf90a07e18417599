# SPDX-License-Identifier: Apache-2.0
"""Damaged PTX: of each, the parser makes a module that prints and reads back, or a CompileError, in a time that the
length of the text allows.

    python -m tests.ptx.language.mutations 100000 [SEED]

takes the real corpus as well as the texts by hand, and stops at the first input that breaks this, which it leaves in a
file that it names.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from lanewise.errors import CompileError
from lanewise.ptx.language.parser import parse

_TOKEN = re.compile(r"[\w.$%:]+|\s+|\"[^\"\n]*\"|.", re.DOTALL)
_BRACKETS = "()[]{}<>"
_HUGE = (
    "99999999999999999999", "16777216", "16777217", "4294967295", "1" + "0" * 5000, "0x" + "F" * 300, "-1", "0",
    "1e999", "0f3F80", "0xZZ", "08", "18446744073709551616U", "1.5",
)  # fmt: skip
_JUNK = ("\0", "é", "²", "٣", "\ufeff", "\u2028", "\x1b[31m", "\\", '"', "'", "/*", "*/", "//", "\r", "@@", "|", "#")
_REPEATED = ("{", "(", "[", "-", "~", "a|", "1||1&&", "/*", '"\\', "{ret;", ".", "::", "1?", ";", "L:", "(.s64)")
_LONGEST = 5_000
"""Characters of a text before it is damaged. Of longer ones, some functions."""

_SECONDS = 2.0
_SECONDS_A_CHARACTER = 1e-5
"""What reading one input may take: some 10 times what it takes."""


class Mutator:
    """Damages texts of a corpus; the same seed gives the same inputs."""

    def __init__(self, texts: Iterable[str], seed: int) -> None:
        self._random = random.Random(seed)
        self._texts = [_shortened(text) for text in texts]
        self._tokens = [_TOKEN.findall(text) for text in self._texts]
        words = {word for tokens in self._tokens for word in tokens if not word.isspace()}
        self._words = sorted(words)
        self._dotted = sorted(word for word in words if word.startswith("."))

    def text(self) -> str:
        pick = self._random
        if pick.random() < 0.2:
            return self._of_bytes(pick.choice(self._texts))
        tokens = list(pick.choice(self._tokens))
        for _ in range(pick.choice((1, 1, 2, 4, 30))):
            tokens = self._of_tokens(tokens)
        return "".join(tokens)

    def _of_bytes(self, text: str) -> str:
        pick, data = self._random, bytearray(text.encode())
        if pick.random() < 0.5:
            del data[pick.randrange(len(data)) :]
        for _ in range(pick.choice((0, 1, 5, 50))):
            if data:
                data[pick.randrange(len(data))] = pick.randrange(256)
        return data.decode(errors="replace" if pick.random() < 0.5 else "surrogateescape")

    def _of_tokens(self, tokens: list[str]) -> list[str]:
        pick = self._random
        if len(tokens) < 2:
            return ["x", " "]
        at, other = pick.randrange(len(tokens)), pick.randrange(len(tokens))
        match pick.randrange(12):
            case 0:
                del tokens[at]
            case 1:
                tokens.insert(at, tokens[at])
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens[at] = pick.choice(self._words)
            case 4:
                tokens[at] = pick.choice(self._dotted)
            case 5:
                numbers = [i for i, token in enumerate(tokens) if token[:1].isdigit()]
                tokens[pick.choice(numbers or [at])] = pick.choice(_HUGE)
            case 6:
                brackets = [i for i, token in enumerate(tokens) if token in _BRACKETS]
                tokens[pick.choice(brackets or [at])] = pick.choice((*_BRACKETS, ""))
            case 7:
                tokens.insert(at, pick.choice(_JUNK))
            case 8:
                tokens.insert(at, pick.choice(_REPEATED) * pick.choice((2, 70, 5000)))
            case 9:
                tokens[at : at + pick.randrange(60)] = []
            case 10:
                part = tokens[at : at + pick.randrange(60)]
                tokens[other:other] = part
            case _:
                tokens = "".join(tokens).splitlines(keepends=True)
                line = pick.randrange(len(tokens))
                tokens.insert(pick.randrange(len(tokens)), tokens[line] if pick.random() < 0.5 else tokens.pop(line))
        return tokens


def _shortened(text: str) -> str:
    """A text without those of its functions and variables that would make it too long."""
    items = parse(text).items
    kept, length = [text[: items[0].start]], 0
    for item in items:
        if length + item.end - item.start <= _LONGEST:
            kept.append(text[item.start : item.end])
            length += item.end - item.start
    return "\n".join(kept)


def outcome(text: str) -> str:
    """`read` or `refused`. AssertionError, or whatever the parser raised, for anything else."""
    begin = time.process_time()
    try:
        module = parse(text, "damaged.ptx")
    except CompileError as error:
        first = str(error).split("\n")[0]
        assert re.match(r"damaged\.ptx:\d+:\d+: error: \S", first), first
        assert len(first) < 300, first
        line = int(first.split(":")[1])
        assert 1 <= line <= text.count("\n") + 1
        return "refused"
    finally:
        seconds = time.process_time() - begin
        assert seconds < _SECONDS + len(text) * _SECONDS_A_CHARACTER, f"{seconds:.1f} s for {len(text)} characters"
    printed = str(module)
    again = parse(printed, "printed.ptx")
    assert str(again) == printed
    assert len(again.items) == len(module.items)
    assert [u.opcode for u in again.unknown] == [u.opcode for u in module.unknown]
    return "read"


def run(texts: Iterable[str], count: int, seed: int) -> Counter[str]:
    """Tries so many inputs, and says how many were read and how many refused."""
    mutator = Mutator(texts, seed)
    found: Counter[str] = Counter()
    for i in range(count):
        text = mutator.text()
        try:
            found[outcome(text)] += 1
        except BaseException:
            path = Path(tempfile.gettempdir(), f"damaged-{seed}-{i}.ptx")
            path.write_bytes(text.encode(errors="surrogateescape"))
            print(f"input {i} of seed {seed} is in {path}", file=sys.stderr)
            raise
        if (i + 1) % 5000 == 0:
            print(f"{i + 1} of {count}: {dict(found)}", flush=True)
    return found


def main(count: int, seed: int = 0) -> None:
    from tests.ptx.language.corpus import NVCC, NVIDIAS, OURS, TEXTS, compiled_by_nvcc, compiled_by_us

    texts = [path.read_bytes().decode() for path in TEXTS]
    texts += map(compiled_by_us, OURS)
    texts += map(compiled_by_nvcc, NVIDIAS if NVCC else [])
    print(f"{len(texts)} texts, seed {seed}: {dict(run(texts, count, seed))}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
