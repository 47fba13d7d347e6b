"""What may be passed for each parameter, from annotations, examples, defaults, docstring, body and names."""

from __future__ import annotations

import pytest

from mpt.inputs import Unbuildable, examples_of, parameters_of
from mpt.source import find_functions
from mpt.spelling import call, literal
from mpt.values import Kind, Module, Parameter, Place, Prompt, Segment, Shape

NO_VALUE = ", and no value of that type can be made"


def parameters(
    signature: str, docstring: str = "", body: str = "pass", preamble: str = ""
) -> tuple[Parameter, ...] | str:
    name = signature.partition("(")[0].partition("[")[0]
    prompt = Prompt(preamble, f"def {signature}:\n    ", (Segment("description", f'"""{docstring}"""'),), name)
    source = f"def {name}(*_):\n    {body}" if "[" in signature.partition("(")[0] else f"def {signature}:\n    {body}"
    try:
        return parameters_of(prompt, examples_of(prompt), source)
    except Unbuildable as reason:
        return str(reason)


def kinds(signature: str, docstring: str = "", body: str = "pass", preamble: str = "") -> list[str] | str:
    found = parameters(signature, docstring, body, preamble)
    return found if isinstance(found, str) else [shown(parameter.shape) for parameter in found]


def shown(shape: Shape) -> str:
    """list(int), tuple(int, str), tuple*(int), union(int, str)"""
    inside = ", ".join(map(shown, shape.items))
    star = "*" if shape.kind == "tuple" and shape.low is not None else ""
    return f"{shape.kind}{star}({inside})" if inside else shape.kind


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("int", "int"),
        ("List[float]", "list(float)"),
        ("list[list[str]]", "list(list(str))"),
        ("typing.Sequence[int]", "list(int)"),
        ("Optional[str]", "union(str, none)"),
        ("int | None", "union(int, none)"),
        ("Union[int, list[int]]", "union(int, list(int))"),
        ("Union[int, Unheard]", "int"),
        ("Union[int, Callable[[], int]]", "union(int, literal)"),
        ("Callable[[int], int]", "literal"),
        ("IO", "union(call(str), call(bytes))"),
        ("Iterator[int]", "call(list(int))"),
        ("date", "union(literal, call(literal, literal, literal))"),
        ("tuple[int, str]", "tuple(int, str)"),
        ("Tuple[int, ...]", "tuple*(int)"),
        ("tuple", "tuple*(int)"),
        ("Dict[str, List[int]]", "dict(str, list(int))"),
        ("Mapping[int, bool]", "dict(int, bool)"),
        ("Counter[str]", "call(dict(str, int))"),
        ("defaultdict[str, list[int]]", "call(literal, dict(str, list(int)))"),
        ("set[int]", "set(int)"),
        ("frozenset[str]", "frozenset(str)"),
        ("Literal['a', 3]", "literal"),
        ("Annotated[int, 'positive']", "int"),
        ("'List[\"int\"]'", "list(int)"),
        ("bytes", "bytes"),
        ("complex", "complex"),
        ("None", "none"),
        ("Number", "union(int, float)"),
        ("Decimal", "union(literal, call(int))"),
        ("Any", "union(int, str, float, bool, none, list(int))"),
    ],
)
def test_annotations(annotation: str, expected: str) -> None:
    assert kinds(f"f(x: {annotation})") == [expected]


@pytest.mark.parametrize(
    ("preamble", "annotation", "expected"),
    [
        ("Vector = List[float]\n", "Vector", "list(float)"),
        ("Vector: TypeAlias = 'list[int]'\n", "Vector", "list(int)"),
        ("type Vector = list[int]\n", "Vector", "list(int)"),
        ("UserId = NewType('UserId', int)\n", "list[UserId]", "list(int)"),
        ("T = TypeVar('T', int, str)\n", "T", "union(int, str)"),
        ("T = TypeVar('T')\n", "list[T]", "list(union(int, str))"),
        ("from typing import List as L\n", "L[int]", "list(int)"),
        ("import typing as t\n", "t.Optional[int]", "union(int, none)"),
        ("if TYPE_CHECKING:\n    from typing import List as L\n    Row = L[int]\n", "'Row'", "list(int)"),
        ("Tree = Union[int, List['Tree']]\n", "Tree", "union(int, list(union(int, list(int))))"),
        ("Loop = List['Loop']\n", "int | Loop", "int"),
    ],
)  # fmt: skip
def test_names_that_the_preamble_defines(preamble: str, annotation: str, expected: str) -> None:
    assert kinds(f"f(x: {annotation})", preamble=preamble) == [expected]


def test_type_parameters() -> None:
    assert kinds("f[T: int](x: list[T], y: T)") == ["list(int)", "int"]


@pytest.mark.parametrize(
    ("signature", "reason"),
    [
        ("f(x: Unheard[int])", f"'x': it is annotated Unheard[…]{NO_VALUE}"),
        ("f(a: int, stream: Socket)", f"'stream': it is annotated Socket{NO_VALUE}"),
        ("f(x: Foo)", f"'x': it is annotated Foo{NO_VALUE}"),
        ("f(x: 'list[')", "'x': it is annotated 'list[', which does not parse"),
        ("f(x: Dict[str])", "'x': it is annotated Dict[…] with the wrong number of types"),
        ("f(x: Unheard[int, None])", f"'x': it is annotated Unheard[…]{NO_VALUE}"),
        ("f(x", "'f': it has a signature that does not parse"),
        ("f(x: 3)", "'x': it is annotated 3, which is no type"),
    ],
)  # fmt: skip
def test_what_cannot_be_built_says_why(signature: str, reason: str) -> None:
    assert parameters(signature) == f"cannot make a value for parameter {reason}"


def test_examples_give_an_unknown_class_a_shape() -> None:
    assert kinds("f(x: Foo)", "f([1]) == 2") == ["list(int)"]


def test_examples_win_where_they_contradict_the_annotation() -> None:
    assert kinds("f(x: List[int])", "f(['a']) == 1") == ["list(str)"]
    assert kinds("f(x: int)", "f('a') == 1") == ["str"]
    assert kinds("f(x: tuple[int, int])", "f((1, 2, 3)) == 1") == ["tuple(int, int, int)"]


def test_examples_narrow_the_annotation() -> None:
    assert kinds("f(x: list)", "f(['a']) == 1") == ["list(str)"]
    assert kinds("f(x: List[Any])", "f(['a', 1]) == 1") == ["list(union(int, str, float, bool, none, list(int)))"]
    assert kinds("f(x: float)", "f(1) == 1, f(0.5) == 2") == ["union(float, int)"]
    assert kinds("f(x: Optional[int])", "f(1) == 1") == ["union(int, none)"]


def test_bounds_and_samples_come_from_examples_with_room_around_them() -> None:
    (x,) = parameters("f(x)", "f([3, -40]) == 1, f([]) == 0")
    assert isinstance(x, Parameter)
    assert (x.shape.low, x.shape.high, [sample.wire for sample in x.shape.samples]) == (0, 8, ["[3,-40]", "[]"])
    assert (x.shape.items[0].low, x.shape.items[0].high) == (-400, 400)
    (n,) = parameters("f(n: int)", "f(3) == 1")
    assert isinstance(n, Parameter)
    assert (n.shape.low, n.shape.high) == (0, 100)


def test_unannotated_parameters_learn_from_each_other() -> None:
    found = kinds("f(x, y, s)", "f(3.6, 2, 'a') == 1, f(1, 2, 'b') == 1")
    assert found == ["union(float, int)", "union(int, float)", "str"]
    assert kinds("f(x, y)", "f([1], ['a']) == 1") == ["list(int)", "list(str)"]


def test_defaults() -> None:
    assert kinds("f(x: int, y=3, z: int = None)") == ["int", "int", "union(int, none)"]
    assert kinds("f(x: int, y=[])") == ["int", "list(int)"]
    left_out = parameters("f(x: int, key=print, y: int = 2, *, z=1, w=object())")
    assert [(p.name, p.keyword) for p in left_out if isinstance(p, Parameter)] == [
        ("x", False),
        ("y", True),
        ("z", True),
    ]


def test_every_kind_of_parameter() -> None:
    found = parameters("f(a: int, /, b: int, *rest: str, c: bool, **more: int)")
    assert [(p.name, p.keyword, shown(p.shape)) for p in found if isinstance(p, Parameter)] == [
        ("a", False, "int"),
        ("b", False, "int"),
        ("*rest", False, "list(str)"),
        ("c", True, "bool"),
        ("**more", False, "dict(literal, int)"),
    ]
    assert kinds("f(*numbers)", "f(1, 2) == 3, f() == 0") == ["list(int)"]
    assert kinds("f(*args, **kwargs)") == []
    assert kinds("f(x: int, *callbacks: Callable)") == ["int", "list(literal)"]


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("It.\n\n    Args:\n        x (list of str): words\n", "list(str)"),
        ("It.\n\n    :param int x: a number\n", "int"),
        ("It.\n\n    :param x: a number\n    :type x: str, optional\n", "str"),
        ("It.\n\n    Parameters\n    ----------\n    x : List[int]\n        numbers\n", "list(int)"),
        ("It.\n\n    x : array of integers\n", "list(int)"),
        ("It.\n\n    x : integer or string\n", "union(int, str)"),
    ],
)
def test_types_in_the_docstring(docstring: str, expected: str) -> None:
    assert kinds("f(x)", docstring) == [expected]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return wobble.split()", "str"),
        ("return wobble + 1", "int"),
        ("return 'a' in wobble", "str"),
        ("return len(wobble)", "list(int)"),
        ("return sum(v * 2 for v in wobble)", "list(int)"),
        ("return [v.upper() for v in wobble if v]", "list(str)"),
        ("return wobble.items()", "dict(str, int)"),
        ("return wobble(1)", "literal"),
    ],
)
def test_the_body_tells(body: str, expected: str) -> None:
    assert kinds("f(wobble)", body=body) == [expected]


def test_of_what_nothing_tells_the_fuzzer_finds_out() -> None:
    [shape] = kinds("f(wobble)", body="return (")
    assert shape.startswith("union(int, list(int), str")


CLASSES = """
import enum
from dataclasses import dataclass
@dataclass
class Point:
    x: int
    y: "float" = 0.0
    tag: str = "a"
class Color(enum.Enum):
    RED = 1
    BLUE = 2
class Base:
    def __init__(self, items: list[int], *, name="s"): ...
class Stack(Base):
    class Inner: ...
"""


@pytest.mark.parametrize(
    ("parameters", "kind", "name", "expected"),
    [
        ("self, x: int", "method", "Stack.f", ["union(call(list(int)), call(list(int), str))", "int"]),
        ("self", "property", "Stack.Inner.f", ["call"]),
        ("cls, x: Point", "class method", "Stack.f", ["union(call(int), call(int, float, str))"]),
        ("x: Color", "static method", "Stack.f", ["literal"]),
        (
            "x: list[Point], *rest: Color",
            "function",
            "f",
            ["list(union(call(int), call(int, float, str)))", "list(literal)"],
        ),
    ],
)
def test_objects_of_the_modules_classes(parameters: str, kind: Kind, name: str, expected: list[str]) -> None:
    place = Place(Module("m", CLASSES), name, kind)
    prompt = Prompt("", f"def f({parameters}):\n    ", (), "f")
    assert [shown(one.shape) for one in parameters_of(prompt, (), "", place)] == expected


@pytest.mark.parametrize(
    ("signature", "body", "expected"),
    [
        ("*parts", "return [part.upper() for part in parts]", ["list(str)"]),
        ("*words", "return len(words)", ["list(str)"]),
        ("*steps", "for step in steps:\n        step(1)", ["list(literal)"]),
        ("*seqs", "return list(zip(*seqs))", ["list(list(int))"]),
        ("*sources", "return wide(*sources)", []),
        ("*sources", "return [one for one in sources]", ["list(union(int, list(int), str"]),
        ("f, *given", "return f(*given)", ["literal", "list(union(int, list(int), str"]),
        ("**options", "return options.get('width', 0) + options['depth']", ["dict(literal, union(int"]),
        ("**options", "return sorted(options.items())", ["dict(literal, union(int"]),
        ("**options", "return wide(**options)", []),
        ("*parts", "return 'a' in", []),
        ("*parts", "return len(parts)" + " + 1" * 800, []),
        ("*parts", "for n, part in enumerate(parts):\n        part.upper()", ["list(str)"]),
        ("*parts", "return lambda *parts: parts", []),
        ("**options", "options['delimiter'] = ';'\n    return wide(**options)", ["dict(literal, union(int"]),
        ("a, b, **extra", "return a + b + len(extra)", ["int", "int", "dict(literal, union(int"]),
    ],
)
def test_what_the_body_does_with_the_rest_of_the_arguments_tells(
    signature: str, body: str, expected: list[str]
) -> None:
    prompt = Prompt("", f"def f({signature}):\n    ", (), "f")
    source = f"def f({signature}):\n    {body}\n"
    found = [shown(one.shape) for one in parameters_of(prompt, (), source, Place(Module("m", ""), "f", "function"))]
    assert [text.startswith(start) for text, start in zip(found, expected, strict=True)] == [True] * len(expected)


def test_an_example_that_is_no_literal_is_not_all_that_is_passed() -> None:
    doctests = ">>> f(lambda x: x, range(3), Stack)\n[]"
    text = f'{CLASSES}def f(pred, iterable, thing):\n    """Do it.\n\n    {doctests}\n    """\n    return Stack\n'
    found = next(one for one in find_functions(text) if one.prompt.segments)
    shapes = parameters_of(found.prompt, examples_of(found.prompt, found.place), found.source, found.place)
    assert [shown(one.shape).partition(",")[0] for one in shapes] == ["union(literal", "union(literal", "literal"]


def test_names_that_would_be_passed_twice_are_not_among_the_rest() -> None:
    prompt = Prompt("", "def f(a, b, **extra):\n    ", (), "f")
    source = (
        "def f(a, b, **extra):\n    return a + b + len(extra) + ('size' in extra) + extra['a'] + ('no-name' in extra)"
    )
    [*_, rest] = parameters_of(prompt, (), source, Place(Module("m", ""), "f", "function"))
    assert [literal(value) for value in rest.shape.items[0].samples] == ["'size'"]


def test_a_docstrings_objects_and_functions_are_read_by_the_module() -> None:
    doctest = ">>> s = Stack([1])\n        >>> s.push(2)\n        >>> s.f(lambda x: -x)"
    [function] = find_functions(
        f'{CLASSES}    def f(self, key):\n        """Do it.\n\n        {doctest}\n        """\n'
    )[1:]
    [example] = examples_of(function.prompt, function.place)
    assert call("f", example.arguments) == "f((lambda _: (_.push(2), _)[1])(Stack([1])), lambda x: -x)"


def test_names_that_a_docstring_imports_by_a_star_are_found() -> None:
    doctest = ">>> from datetime import *\n        >>> from units import *\n        >>> f(date(2024, 1, 2), mile(3))"
    [function] = find_functions(
        f'import os\nX = 1\ndef f(day, far):\n    """Do it.\n\n        {doctest}\n    """\n    return X\n'
    )
    [example] = examples_of(function.prompt, function.place)
    day, far = "importlib.import_module('datetime').date(2024, 1, 2)", "importlib.import_module('units').mile(3)"
    assert call("f", example.arguments) == f"f({day}, {far})"


def test_what_another_function_calls_its_own_is_no_name_of_the_module() -> None:
    docstring = "Do it.\n\n    >>> f(local)\n    "
    [function, _] = find_functions(
        f'import os\nX = 1\ndef f(a):\n    """{docstring}"""\n    return X\ndef g(b):\n    """Do."""\n    local = X\n'
    )
    assert examples_of(function.prompt, function.place) == ()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return wobble.isoweekday()", "union(literal, call(literal, literal, literal, literal, literal"),
        ("return wobble.span()", "literal"),
        ("return wobble.pop()", "union(list(int), dict(str, int), set(int))"),
        ("if isinstance(wobble, bytes): return 1\n    return wobble.upper()", "union(bytes, str)"),
    ],
)
def test_attributes_and_checks_tell(body: str, expected: str) -> None:
    assert kinds("f(wobble)", body=body)[0].startswith(expected)


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        (":param wobble: The time portion of a string", "str"),
        ("Args:\n        wobble: All sequences of words.", "list(str)"),
        ("Args:\n        wobble: Whether to stop.", "bool"),
        ("Parameters\n    wobble\n        Number of steps, a float", "int"),
        (":param dict wobble: it", "dict(str, int)"),
    ],
)
def test_prose_of_a_section_tells(docstring: str, expected: str) -> None:
    assert kinds("f(wobble)", docstring) == [expected]


@pytest.mark.parametrize(
    ("words", "negative"),
    [
        ("Half of x.", False),
        ("Half of x. For negative x: 0.", True),
        ("Half of x, or 0 when x is below zero.", True),
        ("Half of x; 0 where x < 0.", True),
        ("Half of x, a non-negative number.", False),
        ("Half of x. Assume no negative numbers.", False),
    ],
)
def test_what_becomes_of_negative_numbers_is_tried_where_the_docstring_says_it(words: str, negative: bool) -> None:
    [found] = parameters("f(x: int)", f"{words}\n\n    >>> f(4)\n    2\n    ")
    assert isinstance(found, Parameter)
    assert (found.shape.low is not None and found.shape.low < 0) is negative


def test_names_tell_last() -> None:
    assert kinds("f(s, n, arr, words, is_open, s2)") == ["str", "int", "list(int)", "list(str)", "bool", "str"]


def test_names_imported_for_type_checkers_alone_say_why_not() -> None:
    preamble = "if TYPE_CHECKING:\n    from models import Order\n"
    reason = f"cannot make a value for parameter 'x': it is annotated Order{NO_VALUE}"
    assert parameters("f(x: 'Order')", preamble=preamble) == reason


def test_a_type_that_only_contains_itself_says_why_not() -> None:
    reason = "cannot make a value for parameter 'x': it is annotated Loop, which contains itself"
    assert parameters("f(x: Loop)", preamble="Loop = List['Loop']\n") == reason


def test_an_example_whose_result_is_an_exception_still_shows_what_may_be_passed() -> None:
    raising = "It.\n\n    >>> f('a')\n    Traceback (most recent call last):\n    ValueError: no\n    "
    assert kinds("f(x)", raising) == ["str"]
