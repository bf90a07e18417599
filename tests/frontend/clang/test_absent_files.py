# SPDX-License-Identifier: Apache-2.0
"""Headers that appear where they were looked for, and what is compiled then."""

from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.frontend.clang.absent_files import Searched, absent_files

SOURCES = {
    "opencl": '#include "number.h"\nkernel void k(global int *p) { *p = NUMBER; }',
    "cuda": '#include "number.h"\n__global__ void k(int *p) { *p = NUMBER; }',
}


@pytest.mark.parametrize("language", list(SOURCES))
def test_a_header_that_appears_earlier_is_found_by_the_next_compilation(tmp_path: Path, language: str):
    earlier, later = tmp_path / "earlier", tmp_path / "later"
    for folder in (earlier, later):
        folder.mkdir()
    (later / "number.h").write_text("#define NUMBER 5\n")

    def number() -> int:
        module = lw.compile(SOURCES[language], language=language, include_dirs=[earlier, later])
        out = np.zeros(1, np.int32)
        module["k"][1, 1](out)
        return int(out[0])

    assert number() == 5
    (earlier / "number.h").write_text("#define NUMBER 6\n")
    assert number() == 6
    (earlier / "number.h").unlink()
    assert number() == 5


@pytest.mark.parametrize("language", list(SOURCES))
def test_a_header_behind_a_linked_folder_is_the_one_that_the_link_leads_to(tmp_path: Path, language: str):
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real" / "inner")
    header = tmp_path / "real" / "number.h"
    source = SOURCES[language].replace("number.h", "../number.h")
    for number in (5, 6):
        header.write_text(f"#define NUMBER {number}\n")
        module = lw.compile(source, language=language, include_dirs=[tmp_path / "link"])
        out = np.zeros(1, np.int32)
        module["k"][1, 1](out)
        assert out[0] == number


def test_names_are_looked_for_beside_files_and_in_folders(tmp_path: Path):
    header = tmp_path / "there" / "a.h"
    header.parent.mkdir()
    header.write_text('#include "b.h"\n#if __has_include(<c.h>)\n#endif\n')
    searched = Searched('#include "a.h"\n', tmp_path / "k.cu", ("-I", str(tmp_path / "one"), f"-I{header.parent}"))
    one, there = tmp_path / "one", header.parent
    wanted = {tmp_path / "a.h", one / "a.h", one / "b.h", one / "c.h", there / "b.h", there / "c.h"}
    assert absent_files(searched, [str(header)]) == tuple(sorted(map(str, wanted)))


@pytest.mark.parametrize(
    ("begin", "options"),
    [
        ('#define WANTED "number.h"\n#include WANTED', "-I {earlier} -I {later}"),
        ('#include /* here */ "number.h"', "-I{earlier} -I{later}"),
        ('#include "number.h"', "-iprefix {both} -iwithprefixbefore earlier -iwithprefixbefore later"),
        ('#include "number.h"', "--include-directory={earlier} --include-directory={later}"),
        ("", "-I{earlier} -I{later} -includenumber.h"),
        ("", "-I{earlier} -I{later} --include=number.h"),
    ],
)
def test_a_header_that_appears_earlier_is_found_however_it_is_named(tmp_path: Path, begin: str, options: str):
    earlier, later = tmp_path / "earlier", tmp_path / "later"
    words = options.format(earlier=earlier, later=later, both=f"{tmp_path}/").split()
    searched = Searched(f"{begin}\n", None, tuple(words))
    for folder in (earlier, later):
        folder.mkdir()
    (later / "number.h").touch()
    assert str(earlier / "number.h") in absent_files(searched, [str(later / "number.h")])


def test_a_link_that_leads_nowhere_is_an_absent_file(tmp_path: Path):
    (tmp_path / "number.h").symlink_to(tmp_path / "nothing.h")
    searched = Searched('#include "number.h"\n', tmp_path / "k.cu", ())
    assert absent_files(searched, []) == (str(tmp_path / "number.h"),)
