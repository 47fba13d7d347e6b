"""Mutants of a function: its source with one thing changed, made with libcst so that the rest stays byte for byte."""

from __future__ import annotations

from random import Random

import libcst as cst

_COMPARE: dict[type[cst.BaseCompOp], type[cst.BaseCompOp]] = {
    cst.LessThan: cst.LessThanEqual,
    cst.LessThanEqual: cst.LessThan,
    cst.GreaterThan: cst.GreaterThanEqual,
    cst.GreaterThanEqual: cst.GreaterThan,
    cst.Equal: cst.NotEqual,
    cst.NotEqual: cst.Equal,
    cst.Is: cst.IsNot,
    cst.IsNot: cst.Is,
    cst.In: cst.NotIn,
    cst.NotIn: cst.In,
}
_BINARY: dict[type[cst.BaseBinaryOp], type[cst.BaseBinaryOp]] = {
    cst.Add: cst.Subtract,
    cst.Subtract: cst.Add,
    cst.Multiply: cst.FloorDivide,
    cst.FloorDivide: cst.Multiply,
    cst.Divide: cst.Multiply,
    cst.Modulo: cst.Multiply,
    cst.BitAnd: cst.BitOr,
    cst.BitOr: cst.BitAnd,
}
_SWAPPED = {"True": "False", "False": "True", "min": "max", "max": "min", "any": "all", "all": "any"}


def mutants(source: str, count: int, seed: int) -> tuple[str, ...]:
    """Up to `count` different ones, chosen by `seed` from all that there are; fewer where there is little to change."""
    module = cst.parse_module(source)
    places = _Places()
    module.visit(places)
    Random(seed).shuffle(places.found)
    made: dict[str, None] = {}
    for old, new in places.found:
        if len(made) == count:
            break
        code = module.deep_replace(old, new).code  # type: ignore[arg-type]
        if code != source and _compiles(code):
            made[code] = None
    return tuple(made)


def _compiles(code: str) -> bool:
    try:
        compile(code, "<mutant>", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


class _Places(cst.CSTVisitor):
    """All nodes that can be changed, each with what takes its place; signatures and docstrings are left alone."""

    def __init__(self) -> None:
        self.found: list[tuple[cst.CSTNode, cst.CSTNode]] = []

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: N802 – libcst's names
        node.body.visit(self)
        return False

    def visit_Comparison(self, node: cst.Comparison) -> None:  # noqa: N802
        for target in node.comparisons:
            other = _COMPARE.get(type(target.operator))
            if other is not None:
                self.found.append((target, target.with_changes(operator=other())))

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:  # noqa: N802
        other = _BINARY.get(type(node.operator))
        if other is not None:
            self.found.append((node, node.with_changes(operator=other())))

    def visit_BooleanOperation(self, node: cst.BooleanOperation) -> None:  # noqa: N802
        other = cst.Or() if isinstance(node.operator, cst.And) else cst.And()
        self.found.append((node, node.with_changes(operator=other)))

    def visit_UnaryOperation(self, node: cst.UnaryOperation) -> None:  # noqa: N802
        if isinstance(node.operator, cst.Not | cst.Minus):
            self.found.append((node, node.expression.deep_clone()))

    def visit_Integer(self, node: cst.Integer) -> None:  # noqa: N802
        self.found.append((node, cst.Integer(str(node.evaluated_value + 1))))

    def visit_If(self, node: cst.If) -> None:  # noqa: N802
        negated = cst.UnaryOperation(cst.Not(), _bracketed(node.test))
        self.found.append((node.test, negated))

    def visit_Return(self, node: cst.Return) -> None:  # noqa: N802
        if node.value is not None and not (isinstance(node.value, cst.Name) and node.value.value == "None"):
            self.found.append((node, node.with_changes(value=cst.Name("None"))))

    def visit_Name(self, node: cst.Name) -> None:  # noqa: N802
        if node.value in _SWAPPED:
            self.found.append((node, cst.Name(_SWAPPED[node.value])))

    def visit_AugAssign(self, node: cst.AugAssign) -> None:  # noqa: N802
        if isinstance(node.operator, cst.AddAssign):
            self.found.append((node, node.with_changes(operator=cst.SubtractAssign())))

    def visit_Float(self, node: cst.Float) -> None:  # noqa: N802
        self.found.append((node, cst.Float(repr(node.evaluated_value + 1.0))))

    def visit_Assign(self, node: cst.Assign) -> None:  # noqa: N802
        if not (isinstance(node.value, cst.Name) and node.value.value == "None"):
            self.found.append((node, node.with_changes(value=cst.Name("None"))))

    def visit_SimpleString(self, node: cst.SimpleString) -> None:  # noqa: N802
        if not node.prefix and len(node.quote) == 1:
            self.found.append((node, node.with_changes(value=f"{node.quote}XX{node.raw_value}XX{node.quote}")))

    def visit_Break(self, node: cst.Break) -> None:  # noqa: N802
        self.found.append((node, cst.Continue(semicolon=node.semicolon)))

    def visit_Continue(self, node: cst.Continue) -> None:  # noqa: N802
        self.found.append((node, cst.Break(semicolon=node.semicolon)))

    def visit_Expr(self, node: cst.Expr) -> bool:  # noqa: N802
        """A call for its effect alone is left out."""
        if isinstance(node.value, cst.Call):
            self.found.append((node, cst.Pass(semicolon=node.semicolon)))
        return not isinstance(node.value, cst.SimpleString | cst.ConcatenatedString)

    def visit_Lambda(self, node: cst.Lambda) -> None:  # noqa: N802
        self.found.append((node, node.with_changes(body=cst.Name("None"))))

    def visit_Arg(self, node: cst.Arg) -> None:  # noqa: N802
        """What is passed becomes None."""
        if not node.star and not (isinstance(node.value, cst.Name) and node.value.value == "None"):
            self.found.append((node, node.with_changes(value=cst.Name("None"))))


def _bracketed(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.with_changes(lpar=[cst.LeftParen(), *node.lpar], rpar=[*node.rpar, cst.RightParen()])
