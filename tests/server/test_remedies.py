"""What is written into a document: it parses, changes nothing else, and says what was chosen."""

from __future__ import annotations

import ast
import doctest

import pytest

import builders
from mpt.source import find_functions
from mpt.values import Function, Origin, Program, Raised, Span
from mpt_server import remedies
from mpt_server.positions import split_lines
from mpt_server.remedies import Cannot, Replacement

DOCSTRINGS = {
    "one line": '"""Adds."""',
    "three lines": '"""Adds.\n    """',
    "with an example": '"""Adds.\n\n    >>> f(1)\n    2\n    """',
    "raw": 'r"""Adds \\d."""',
    "single quotes": "'''Adds.'''",
    "closing quotes behind text": '"""\n    Adds.\n    All of it."""',
}


def function_in(text: str) -> Function:
    return find_functions(text, "a.py")[-1]


def with_docstring(docstring: str) -> str:
    return f"import math\n\n\n@cache\ndef f(a):\n    {docstring}\n    return a\n\n\nx = 1\n"


def written(text: str, edit: Replacement) -> str:
    return text[: offset(text, edit.span, 0)] + edit.text + text[offset(text, edit.span, 1) :]


def offset(text: str, span: Span, end: int) -> int:
    place = span.end if end else span.start
    return sum(map(len, split_lines(text)[: place.line])) + place.column


@pytest.mark.parametrize("docstring", DOCSTRINGS.values(), ids=DOCSTRINGS.keys())
@pytest.mark.parametrize("value", [3, "a\\b'\n", [1, None], -0.5, {"a": (1,)}])
def test_an_example_in_the_docstring(docstring: str, value: object) -> None:
    text = with_docstring(docstring)
    edit = remedies.example(function_in(text), builders.arguments(value), builders.returned(value))
    after = written(text, edit)
    before_node, after_node = (ast.parse(one).body[1] for one in (text, after))
    assert isinstance(before_node, ast.FunctionDef)
    assert isinstance(after_node, ast.FunctionDef)
    assert ast.dump(after_node.body[1]) == ast.dump(before_node.body[1])
    said = ast.get_docstring(after_node)
    assert said is not None
    assert said.startswith(str(ast.get_docstring(before_node)).strip())
    last = doctest.DocTestParser().get_examples(said)[-1]
    assert last.source == f"f({value!r})\n"
    assert ast.literal_eval(last.want.strip()) == value
    assert after.endswith("    return a\n\n\nx = 1\n")


def test_an_example_that_raises() -> None:
    text = with_docstring('"""Adds."""')
    after = written(text, remedies.example(function_in(text), builders.arguments(1), Raised("ValueError")))
    assert "    Traceback (most recent call last):\n    ValueError" in after
    ast.parse(after)


def test_a_sentence() -> None:
    text = with_docstring('"""Adds."""')
    after = written(text, remedies.sentence(function_in(text), builders.arguments(1), builders.returned(2)))
    assert '    """Adds.\n\n    For example, f(1) gives 2.\n    """\n' in after


@pytest.mark.parametrize("docstring", ['"Adds."', '"""Adds."""'])
def test_what_cannot_be_written(docstring: str) -> None:
    function = function_in(with_docstring(docstring))
    with pytest.raises(Cannot):
        remedies.example(function, builders.arguments('"""'), builders.returned(1))


def test_only_what_can_be_written_down_is_offered() -> None:
    from mpt.values import Answer, Disagreement

    answers = [builders.returned(object()), builders.returned(0), Raised("ValueError"), builders.outcome("stopped")]
    others = tuple(Answer(outcome, (n,)) for n, outcome in enumerate(answers))
    found = Disagreement(builders.arguments(1), builders.returned(3), others)
    assert list(remedies.choices(found)) == ["3", "0", "raises ValueError"]


def test_the_majority_program_under_the_own_docstring() -> None:
    text = with_docstring('"""Adds."""')
    body = "    if a:\n        return helper(a)\n    return 0\n"
    source = f'import math\nimport re\n\ndef helper(b):\n    return b\n\ndef f(a):\n    """Another."""\n{body}'
    program = Program(source, "f", Origin("paraphrase"))
    after = written(text, remedies.majority(function_in(text), program))
    assert after.count("import math") == 1
    assert "import re\n" in after
    assert 'def f(a):\n    """Adds."""\n' + body in after
    assert after.endswith("\n\nx = 1\n")
    ast.parse(after)


@pytest.mark.parametrize("source", ["(", "x = 1", 'def f(a):\n    """Only that."""\n', "def g():\n    return 1"])
def test_a_program_that_cannot_stand_in(source: str) -> None:
    with pytest.raises(Cannot):
        remedies.majority(function_in(with_docstring('"""Adds."""')), Program(source, "f", Origin("paraphrase")))


@pytest.mark.parametrize(
    ("path", "module"), [("app.py", "app"), ("src/pkg/app.py", "pkg.app"), ("pkg/app.py", "pkg.app"), ("src.py", "src")]
)
def test_how_a_test_imports_it(path: str, module: str) -> None:
    from pathlib import Path

    assert remedies.module_of(Path("/root") / path, Path("/root")) == module
    assert remedies.module_of(Path("/other") / path, Path("/root")) == Path(path).stem
