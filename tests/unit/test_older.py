"""Text that only a newer Python reads, in older words: as long, and every name where it was."""

from __future__ import annotations

import ast

import pytest

from mpt.source import find_functions, names
from mpt.source.older import older


@pytest.mark.parametrize(
    ("newer", "told"),
    [
        ("class Stack[T: int, *Ts]:\n    pass\n", "class Stack             :\n    pass\n"),
        ("async def f[T](x: T): pass", "async def f   (x: T): pass"),
        ("type Pair[T] = tuple[T, T]", "Pair         = tuple[T, T]"),
        ("x = f'a {f'{b!r:>{w}}'} é'", "x = (    (  b,        ),   )"),
        ("x = 'a' f'{b + 1}' 'é'", "x = (      b + 1,      )"),
        ("x = f\"{'\\n'.join(c)}\"", "x = (  '\\n'.join(c),)"),
        ("x = f'{a=}'", "x = (  a, )"),
        ("x = f'plain', rf'{{'", "x = (      ), (    )"),
    ],
)
def test_newer_words_are_told_in_older_ones(newer: str, told: str) -> None:
    assert len(older(newer).encode()) == len(newer.encode())
    assert ast.dump(ast.parse(older(newer))) == ast.dump(ast.parse(told))


def test_what_every_python_reads_stays() -> None:
    code = "def f(x: list[int]) -> dict[str, int]:\n    return {'a': x[0]}\n"
    assert older(code) == code


def test_functions_of_a_newer_document_are_found_with_what_they_need() -> None:
    method = '    def f(self, x: T) -> str:\n        """Do it."""\n        return f"{f"{LIMIT}"}"\n'
    text = "LIMIT = 1\nclass Box[T]:\n" + method
    [function] = find_functions(text)
    assert function.obstacle is None
    assert function.place is not None
    assert function.place.name == "Box.f"
    assert "LIMIT" in names.statement(function.source).needs


def test_what_no_python_reads_is_an_error_still() -> None:
    with pytest.raises(SyntaxError, match="never closed"):
        names.parse("def f[T](x: T):\n    return g(x")
