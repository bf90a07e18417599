# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/cache/test_keys.py"""

import subprocess
import sys
from importlib.metadata import version

from lanewise.cache import key, tool_versions


def test_keys_are_64_hexadecimal_digits():
    assert len(key()) == 64
    int(key("a"), 16)


def test_the_borders_between_parts_count():
    assert len({key("ab", "c"), key("a", "bc"), key("abc"), key("abc", ""), key("", "abc")}) == 5


def test_text_and_its_bytes_are_the_same():
    assert key("é") == key("é".encode())


def test_text_that_is_no_unicode_has_a_key():
    assert key("\udcff") != key("\udcfe")


def test_tools_are_named_with_their_versions():
    told = tool_versions().split()
    assert f"llvmlite-{version('llvmlite')}" in told
    assert f"ziglang-{version('ziglang')}" in told
    assert any(word.startswith("lanewise-") for word in told)


def test_a_key_loads_no_tool():
    code = "import sys, lanewise.cache as c\nc.key('a'); print('llvmlite' in sys.modules, 'ziglang' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
