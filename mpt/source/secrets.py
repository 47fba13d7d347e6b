"""What looks like a key, a token or a password is never told to anybody."""

from __future__ import annotations

import ast
import re

from mpt.source import names

_NAMED = re.compile(r"key|secret|token|passw|passphrase|credential", re.IGNORECASE)
_SHORTEST = 8
"""A shorter text under such a name is a name, an option, a separator."""
_KEY = re.compile(r"(?=[^ ]*[0-9])(?=[^ ]*[A-Za-z])[A-Za-z0-9_+/=.-]{20,}")
"""What a key looks like under whatever name: one long word of letters and digits."""


def without_secrets(code: str) -> str:
    """The statements, `...` standing for what looks like a secret; untouched where nothing does."""
    redactor = _Redactor()
    tree = redactor.visit(names.parse(code))
    return ast.unparse(tree) + "\n" if redactor.changed else code


class _Redactor(ast.NodeTransformer):
    """Puts `...` in place of secrets, wherever they stand: values, defaults, arguments of calls."""

    def __init__(self) -> None:
        self.changed = False

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        return self._under(node, *map(ast.unparse, node.targets))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return self._under(node, ast.unparse(node.target))

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        return self._under(node, node.arg or "")

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        text = _text(node.value)
        return self._hidden() if _KEY.fullmatch(text) and len(set(text)) < len(text) else node

    def _under(self, node: ast.AST, *called: str) -> ast.AST:
        value = getattr(node, "value", None)
        if any(map(_NAMED.search, called)) and isinstance(value, ast.Constant) and len(_text(value.value)) >= _SHORTEST:
            node.value = self._hidden()  # type: ignore[attr-defined]
        return self.generic_visit(node)

    def _hidden(self) -> ast.Constant:
        self.changed = True
        return ast.Constant(...)


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, str) else ""
