# SPDX-License-Identifier: Apache-2.0
"""Lines of functions by their indentation: the trees that `inspect` finds."""

import ast
import inspect
import textwrap

import pytest

from lanewise.jit import function_lines
from lanewise.jit.function_lines import parsed_function


def marked(function):
    return function


# fmt: off
@marked
def plain(a):
    """A text
that goes on at the margin."""
    # a comment
# another one at the margin
    if a:
        return (a,
1)

    return a
# the end


@marked
def with_parameters(
    a,
    b=(1,
2),
):
    def inner():
        return b

    return inner, a


class Nested:
    @staticmethod
    @marked
    def method(a):
        return f"""
        {a}
        """

    @marked
    def one_line(self): return self


# fmt: on
FUNCTIONS = [plain, with_parameters, Nested.method, Nested.one_line, marked]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_the_tree_that_inspect_finds(function):
    tree, first = parsed_function(function)
    lines, line = inspect.getsourcelines(function)
    assert first == line
    expected = ast.parse(textwrap.dedent("".join(lines))).body[0]
    found, wanted = (
        [(type(node), getattr(node, "lineno", 0), getattr(node, "id", "")) for node in ast.walk(each)]
        for each in (tree, expected)
    )
    assert found == wanted


def test_most_functions_need_no_tokens(monkeypatch):
    def refused(*_):
        raise AssertionError

    monkeypatch.setattr(function_lines.inspect, "getsourcelines", refused)
    parsed_function(marked)
    parsed_function(Nested.one_line)


def test_a_file_that_is_written_anew(tmp_path):
    path = tmp_path / "again.py"
    for parameters in ("a, b", "a"):
        path.write_text(f"def again({parameters}):\n    return a  # {parameters}\n")
        names = {}
        exec(compile(path.read_text(), str(path), "exec"), names)
        tree, _ = parsed_function(names["again"])
        assert ast.unparse(tree.args) == parameters


def test_a_function_without_source():
    with pytest.raises((OSError, TypeError)):
        parsed_function(eval("lambda: 0"))
