"""Python text that only a newer Python reads, told so that ours does: type parameters, `type` statements, f-strings.

Byte for byte as long, and every name where it was: what is read of it holds for the text itself. Not meant to be run.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from mpt.source import syntax

_KEPT = b"\r\n"


def older(code: str) -> str:
    """The text without what Python 3.12 brought."""
    data = bytearray(code.encode("utf-8", "surrogatepass"))
    for node in syntax.nodes(code):
        if node.type in ("function_definition", "class_definition"):
            _blank_all(data, (child for child in node.children if child.type == "type_parameter"))
        elif node.type == "type_alias_statement":
            _plain_alias(data, node)
        elif node.type in ("concatenated_string", "string") and _outermost(node) and _is_f(node):
            first, last = node.start_byte, node.end_byte - 1
            data[first], data[last] = ord("("), ord(")")
            for one in _strings(node):
                _open(data, one, max(one.start_byte, first + 1), min(one.end_byte, last))
    return data.decode("utf-8", "surrogatepass")


def _outermost(node: Node) -> bool:
    return node.parent is None or node.parent.type != "concatenated_string"


def _is_f(node: Node) -> bool:
    """Is it an f-string, or holds it one?"""
    return any(b"f" in (one.children[0].text or b"").lower() for one in _strings(node) if one.children)


def _strings(node: Node) -> list[Node]:
    """The strings that stand one after the other, or the one."""
    if node.type == "string":
        return [node]
    return [child for child in node.children if child.type == "string"]


def _open(data: bytearray, node: Node, start: int, end: int) -> None:
    """Leaves of an f-string, within the bounds, what stands in its braces, as items of a tuple."""
    kept = [_inside(part) for part in node.children if part.type == "interpolation"]
    at = start
    for first, last in kept:
        _blank(data, at, first)
        data[last : last + 1] = b","
        at = last + 1
    _blank(data, at, end)


def _inside(interpolation: Node) -> tuple[int, int]:
    """From behind the brace to the end of the expression."""
    last = interpolation.children[1]
    return interpolation.children[0].end_byte, last.end_byte


def _plain_alias(data: bytearray, node: Node) -> None:
    """`type X[T] = list[T]` as `X = list[T]`."""
    equals = next((child for child in node.children if child.type == "="), None)
    if equals is None:
        return
    name = bytes(data[node.children[1].start_byte : equals.start_byte]).partition(b"[")[0].strip()
    _blank(data, node.start_byte, equals.start_byte)
    data[node.start_byte : node.start_byte + len(name)] = name


def _blank_all(data: bytearray, nodes: Iterator[Node]) -> None:
    for node in nodes:
        _blank(data, node.start_byte, node.end_byte)


def _blank(data: bytearray, start: int, end: int) -> None:
    for index in range(start, end):
        if data[index] not in _KEPT:
            data[index] = ord(" ")
