"""What a class of the document is called with, as its text tells: which arguments, within which bounds."""

from __future__ import annotations

import pytest

from mpt.inputs.frames import columns_of
from mpt.inputs.making import Made
from mpt.shrink import shrink
from mpt.spelling import call, value_of
from mpt.types.known import Known, frames
from mpt.values import Arguments, Shape
from mpt.worker.codec import Call

HEAD = "import attr, attrs, pydantic\nfrom pydantic import BaseModel, Field\nfrom typing import Annotated\n"
CLASSES = {
    "@attrs.define\nclass A:\n    x: int": "A(x=int)",
    "@attrs.define\nclass A:\n    x: int\n    y: str = 'a'": "A(x=int) | A(x=int, y=str)",
    "@attrs.frozen\nclass A:\n    _x: int\n    y: int = attrs.field(alias='z')": "A(x=int, z=int)",
    "@attrs.define\nclass A:\n    x: int = attrs.field()\n    y: int = attrs.field(init=False)": "A(x=int)",
    "@attrs.define\nclass A:\n    x: list[int] = attrs.field(factory=list)": "A() | A(x=list)",
    "@attrs.define\nclass A:\n    x: int = attrs.field(validator=attrs.validators.ge(2))": "A(x=int[2..])",
    "@attrs.define\nclass A:\n    x: str = attrs.field(validator=[attrs.validators.max_len(3)])": "A(x=str[0..3])",
    "@attr.s(auto_attribs=True)\nclass A:\n    x: int\n    y: float = 0.5": "A(x=int) | A(x=int, y=float)",
    "@attr.s\nclass A:\n    x = attr.ib(converter=int)\n    y = attr.ib(type=str)": "A(x=int, y=str)",
    "class A(BaseModel):\n    x: int = Field(ge=0, le=10)": "A(x=int[0..10])",
    "class A(BaseModel):\n    x: int = Field(..., gt=0, lt=10)": "A(x=int[1..9])",
    "class A(BaseModel):\n    x: int = Field(5, ge=0)": "A() | A(x=int[0..])",
    "class A(BaseModel):\n    x: Annotated[int, Field(ge=3)]": "A(x=int[3..])",
    "class A(BaseModel):\n    x: Annotated[int, annotated_types.Gt(3)]": "A(x=int[4..])",
    "class A(BaseModel):\n    odd: list[pydantic.PositiveInt] | None": "A(odd=list | none)",
    "class A(BaseModel):\n    odd: pydantic.PositiveInt": "A(odd=int[1..])",
    "class A(BaseModel):\n    odd: pydantic.conint(ge=1, le=3)": "A(odd=int[1..3])",
    "class A(BaseModel):\n    odd: pydantic.conlist(str, max_length=3)": "A(odd=list[0..3])",
    "class A(BaseModel):\n    x: str = Field(min_length=2, max_length=4)": "A(x=str[2..4])",
    "class A(BaseModel):\n    x: list[int] = Field(default_factory=list, max_length=2)": "A() | A(x=list[0..2])",
    "class A(BaseModel):\n    x: int = Field(alias='other')": "A(other=int)",
    "class B(BaseModel):\n    x: int = Field(le=3)\nclass A(BaseModel):\n    b: B": "A(b=B(x=int[..3]))",
    "class B(BaseModel):\n    x: int\nclass A(B):\n    y: str": "A(x=int, y=str)",
    "@pydantic.dataclasses.dataclass\nclass A:\n    x: int = Field(ge=1)": "A(x=int[1..])",
    "A = namedtuple('A', 'n, text')": "A(n=int, text=str)",
    "A = namedtuple('A', ['n', 'text'], defaults=['a'])": "A(n=int) | A(n=int, text=str)",
    "A = typing.NamedTuple('A', [('x', float)])": "A(x=float)",
}


def shown(shape: Shape) -> str:
    if shape.kind == "union":
        return " | ".join(map(shown, shape.items))
    if shape.kind == "call":
        parts = [f"{name}={shown(item)}" for name, item in zip(shape.names, shape.items, strict=True)]
        return f"{shape.call}({', '.join(parts)})"
    bounds = f"[{_bound(shape.low)}..{_bound(shape.high)}]" if _bounded(shape) else ""
    return shape.kind + bounds


def _bounded(shape: Shape) -> bool:
    """Otherwise than by the length that anything has where nothing is known."""
    return (shape.low, shape.high) not in ((None, None), (0, 8), (0, 100))


def _bound(bound: float | None) -> str:
    return "" if bound is None else f"{bound:g}"


@pytest.mark.parametrize("text", CLASSES)
def test_fields(text: str) -> None:
    made = Made(HEAD + text, Known()).of_name("A")
    assert made is not None
    assert shown(made) == CLASSES[text]


BODY = '''
def f(df, other):
    """Nothing."""
    a = df["price"] + other["not its"]
    df = df.groupby(["city", "year"]).sum().sort_values(by="price")
    df["made"] = 1
    return df[["city"]].drop(columns="old")
'''


def test_columns_that_a_body_names() -> None:
    assert columns_of("df", BODY) == ("price", "city", "year", "old")
    assert columns_of("df", "def f(df") == ()


def test_frames_have_the_columns() -> None:
    one, two = frames(["a"]), frames(["a", "b"])
    assert [item.items[1] for item in two.items] == [Shape("literal", samples=(value_of(["a", "b"]),))] * 4
    kinds = [[cell.kind for cell in item.items[0].items[0].items] for item in two.items]
    assert kinds == [["int", "int"], ["float", "float"], ["literal", "literal"], ["literal", "int"]]
    assert [item.items[0].items[0].kind for item in one.items] == ["tuple"] * 3


def test_what_is_made_by_a_call_is_shown_as_small_as_it_can_be() -> None:
    big = Arguments((value_of(Call("numpy.array", [[3, 40, 5]], {"k": 7})),))
    small = shrink(big, lambda some: ["[" in call("", one) and "k=" in call("", one) for one in some])
    assert call("f", small) == "f(numpy.array([], k=0))"
