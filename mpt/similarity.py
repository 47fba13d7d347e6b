"""How alike two texts or two programs are, from 0 (nothing shared) to 1 (equal). Pure, and the same every time.

Both are the Dice coefficient of two multisets: twice what is shared over all there is. Of a text those of its pairs of
neighbouring characters (case and white space apart), which needs no words and so works for Chinese as for German; of a
program those of the triples of neighbouring nodes of its syntax tree, names replaced by the order they first occur in.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from mpt.source.names import parse


def of_texts(one: str, other: str) -> float:
    return _dice(_bigrams(one), _bigrams(other))


def of_programs(one: str, other: str) -> float:
    """Of two sources; as texts where one does not parse. Docstrings and comments do not count."""
    return between_programs((one, other))[0][1]


def between_programs(sources: Sequence[str]) -> tuple[tuple[float, ...], ...]:
    """`of_programs` of each with each; every source is parsed once."""
    triples = [_triples(source) for source in sources]
    table = [[1.0] * len(sources) for _ in sources]
    for i, j in combinations(range(len(sources)), 2):
        left, right = triples[i], triples[j]
        alike = of_texts(sources[i], sources[j]) if left is None or right is None else _dice(left, right)
        table[i][j] = table[j][i] = alike
    return tuple(map(tuple, table))


def _triples(source: str) -> Counter[Hashable] | None:
    """None where it does not parse."""
    try:
        return _runs(list(_nodes(parse(source))), 3)
    except SyntaxError:
        return None


def _bigrams(text: str) -> Counter[Hashable]:
    return _runs(" ".join(text.casefold().split()), 2)


def _runs(items: Sequence[Hashable], length: int) -> Counter[Hashable]:
    """Runs of that many neighbours; the whole where there are fewer."""
    if len(items) < length:
        return Counter([tuple(items)] if items else [])
    return Counter(tuple(items[at : at + length]) for at in range(len(items) - length + 1))


def _dice(one: Counter[Hashable], other: Counter[Hashable]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def _nodes(tree: ast.Module) -> Iterator[str]:
    """The tree's nodes, depth first: their types, constants by value, names by number."""
    numbers: dict[str, int] = {}
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        name = getattr(node, "id", None) or getattr(node, "arg", None) or getattr(node, "name", None)
        number = numbers.setdefault(name, len(numbers)) if isinstance(name, str) else ""
        value = repr(node.value) if isinstance(node, ast.Constant) else getattr(node, "attr", "")
        yield f"{type(node).__name__} {number} {value}"
        children = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context)]
        todo.extend(reversed([child for child in children if not _is_bare_string(child)]))


def _is_bare_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
