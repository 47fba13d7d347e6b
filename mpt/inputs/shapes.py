"""What may be passed for each parameter, from everything a prompt gives.

Strongest first: values seen in examples, the annotation, a type in the docstring, the default, the body, the name.
Where the examples contradict another source they win.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mpt.inputs.alike import alike
from mpt.inputs.annotations import Missing, Names, NoShape, names_of, shape_of
from mpt.inputs.frames import frame_of, with_columns
from mpt.inputs.guesses import from_body, from_docstring, from_name, from_prose
from mpt.inputs.literals import Unreadable, read
from mpt.inputs.making import WIDE, Made, guessed, is_wide
from mpt.inputs.observed import accepts, generous, kind_of, of_values, refine, union
from mpt.inputs.rest import rest_of
from mpt.inputs.signature import Declared, Signature, signature_of
from mpt.inputs.uses import Body
from mpt.inputs.wording import facts_of, kept_letters, narrowed, tells_of_negatives
from mpt.spelling import value_of
from mpt.types.known import FUNCTIONS, UNASKED, Known, literals, texts
from mpt.values import Example, Parameter, Place, Prompt, Shape
from mpt.worker import codec


class Unbuildable(ValueError):
    """The first parameter no value can be made for, and why, as the end of a sentence."""

    def __init__(self, parameter: str, why: str) -> None:
        super().__init__(f"cannot make a value for parameter {parameter!r}: it {why}")
        self.parameter = parameter


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What is known about a function's parameters; `seen` holds the values each one has in examples."""

    prompt: Prompt
    docstring: str
    source: str
    names: Names
    seen: dict[str, list[Any]]
    made: Made
    body: Body
    place: Place | None = None

    @property
    def placed(self) -> bool:
        return self.place is not None


def parameters_of(
    prompt: Prompt, examples: Sequence[Example], source: str, place: Place | None = None, known: Known = UNASKED
) -> tuple[Parameter, ...]:
    """A shape for every parameter that has to be filled, in the order in which they are passed.

    source: the target program; how its body uses a parameter is the weakest evidence but one.
    place: of a function in its module, which makes objects of its classes and whatever Python text names; then a
    method's object is a parameter too, and of a parameter nothing need be known.
    known: the types of other packages that can be made where the function runs.
    A parameter with a default that no value can be made for is left out. `*args` and `**kwargs` are parameters named
    with their stars, a list and a dict that are spread over the call. Raises Unbuildable.
    """
    signature = _called_with(prompt, place)
    if signature is None:
        raise Unbuildable(prompt.entry_point, "has a signature that does not parse")
    docstring = "".join(segment.text for segment in prompt.segments)
    module = place.module.text if place else prompt.preamble
    made = Made(module, known, place is not None)
    names = names_of(module, signature.type_parameters, made.of_name)
    passed = [_without_object(example) for example in examples] if place and place.bound else examples
    body = Body(source, module if place else "")
    evidence = _Evidence(prompt, docstring, source, names, _seen(signature, passed), made, body, place)
    facts = facts_of(docstring, [parameter.name for parameter in signature.parameters])
    parameters: list[Parameter] = []
    if place is not None and place.bound:
        objects = [example.arguments.positional[0] for example in examples]
        parameters.append(Parameter("self", made.receiver(place.holder, prompt.entry_point, objects)))
    by_name = False  # once one is left out, those after it are passed by name
    for declared in signature.parameters:
        shape = _shape(evidence, signature, declared)
        if isinstance(shape, Shape):
            if by_name and declared.kind in ("position", "*args"):
                continue
            keyword = declared.kind == "name" or (by_name and declared.kind == "either")
            bounded = narrowed(
                generous(kept_letters(shape, docstring), tells_of_negatives(docstring)), declared.name, facts
            )
            parameters.append(Parameter(_STARS.get(declared.kind, "") + declared.name, bounded, keyword))
        elif declared.default is None and not declared.starred:
            raise Unbuildable(declared.name, str(shape))
        else:
            by_name = True
    return tuple(alike(prompt.entry_point, parameters) if place is not None and place.bound else parameters)


def _called_with(prompt: Prompt, place: Place | None) -> Signature | None:
    """The signature without the object or class that a method is called on."""
    signature = signature_of(prompt)
    if signature is not None and place is not None and (place.bound or place.kind in ("class method", "constructor")):
        return replace(signature, parameters=signature.parameters[1:])
    return signature


def meant(
    prompt: Prompt, parameters: Sequence[Parameter], examples: Sequence[Example], place: Place | None = None
) -> bool:
    """Do examples show, or annotations tell, all of what the function takes? Else some of it is guessed."""
    signature = _called_with(prompt, place)
    if signature is None or examples:
        return bool(examples)
    annotated = all(one.annotation is not None for one in signature.parameters)
    return annotated and not any(is_wide(parameter.shape) for parameter in parameters)


MAX_DEFAULT = 100
"""Characters of a default that the module reads."""
_STARS = {"*args": "*", "**kwargs": "**"}
_ANY_NAMES = ("a", "b", "key")
"""Of `**kwargs` whose body takes any."""


def _shape(evidence: _Evidence, signature: Signature, declared: Declared) -> Shape | NoShape:
    seen = _with_siblings(evidence, signature, declared)
    default = _default(declared)
    known: Shape | NoShape | None = _declared(evidence, declared)
    if not isinstance(known, Shape) and seen:
        known = _varied(evidence, declared, of_values(seen))
    elif isinstance(known, Shape):
        known = refine(known, seen)
    elif known is None:
        known = (of_values(default) if default and default != [None] else None) or _guessed(evidence, declared)
    if isinstance(known, Missing):
        return known
    left_out = declared.default is not None and not evidence.placed
    unknown = known is None or (evidence.placed and not isinstance(known, Shape))
    if unknown and not declared.starred and not left_out:
        known = _or_default(evidence, declared, guessed(declared.name, evidence.source))
    if known is None:
        return NoShape("has no annotation, no example shows it, and the body does not tell what it is")
    if isinstance(known, Shape) and default and not accepts(known, default[0]):
        known = union([known, of_values(default)])
    if not isinstance(known, Shape):
        return known
    return _spread(evidence, signature, declared, with_columns(known, declared.name, evidence.source))


def _varied(evidence: _Evidence, declared: Declared, seen: Shape) -> Shape:
    """What examples show that is no literal can only be repeated: so it is half of what is passed, a guess the rest."""
    if not evidence.placed or seen.kind != "literal" or declared.annotation is not None or declared.starred:
        return seen
    other = _guessed(evidence, declared) or guessed(declared.name, evidence.source)
    return seen if other == WIDE else Shape("union", (seen, other))


def _declared(evidence: _Evidence, declared: Declared) -> Shape | NoShape | None:
    """What the annotation says, else the docstring's own words; NoShape where it says what we cannot build."""
    if declared.annotation is None:
        return from_docstring(evidence.docstring, declared.name, evidence.names)
    try:
        return shape_of(declared.annotation, evidence.names)
    except NoShape as reason:
        return reason


def _guessed(evidence: _Evidence, declared: Declared) -> Shape | None:
    if declared.starred:
        return _each(evidence, declared) if evidence.placed else None
    name, made, uses = declared.name, evidence.made, evidence.body.uses(declared.name)
    known = frame_of(name, evidence.source, made.known) if evidence.placed else None
    known = known or made.by_use(uses) or _other(evidence, name) or made.by_name(name)
    known = known or (FUNCTIONS if evidence.placed and uses.called else None)
    known = known or from_prose(evidence.docstring, name, evidence.names)
    known = known or from_body(evidence.source, evidence.prompt.entry_point, name) or made.by_methods(uses)
    known = known or from_name(name)
    checked = made.checked(uses)
    if checked is not None:
        known = Shape("union", (checked, known or guessed(name, evidence.source)))
    return _or_default(evidence, declared, known) if known is not None else None


def _each(evidence: _Evidence, declared: Declared) -> Shape | None:
    """Each of `*args`, as a parameter would be that has the names which the body gives it; each value of `**kwargs`."""
    rest = rest_of(evidence.source, evidence.prompt.entry_point, declared.name)
    if declared.kind == "*args":
        for name in rest.members:
            known = _guessed(evidence, Declared(name, "either")) or guessed(name, evidence.source)
            if known is not WIDE:
                return known
    return WIDE if rest.read else None


def _other(evidence: _Evidence, name: str) -> Shape | None:
    """`other` of a method is an object of the same class."""
    place = evidence.place
    if name != "other" or place is None or not place.bound:
        return None
    return evidence.made.receiver(place.holder, evidence.prompt.entry_point, [])


def _or_default(evidence: _Evidence, declared: Declared, shape: Shape) -> Shape:
    """Of a guess, half the values are the default, where it is no literal or the guess is a wide one."""
    if declared.default is None or not evidence.placed:
        return shape
    seen = _default(declared)
    if seen:
        return Shape("union", (of_values(seen), shape)) if shape.kind == "union" else shape
    text = ast.unparse(declared.default)
    return Shape("union", (texts(text), shape)) if len(text) <= MAX_DEFAULT else shape


def _spread(evidence: _Evidence, signature: Signature, declared: Declared, shape: Shape) -> Shape:
    """`*args: int` is a list of int, `**options: int` a dict of them under the names that the body looks up."""
    if declared.kind == "*args":
        return Shape("list", (shape,), low=0, high=4)
    if declared.kind == "**kwargs":
        taken = {one.name for one in signature.parameters}
        looked_up = rest_of(evidence.source, evidence.prompt.entry_point, declared.name).keys
        keys = [key for key in looked_up or _ANY_NAMES if key not in taken and key.isidentifier()]
        return Shape("dict", (literals(*(keys or ["key_"])), shape), low=0, high=2)
    return shape


def _without_object(example: Example) -> Example:
    """A method's example with the arguments alone."""
    return replace(example, arguments=replace(example.arguments, positional=example.arguments.positional[1:]))


def _default(declared: Declared) -> list[Any]:
    if declared.default is None:
        return []
    try:
        return [codec.parse(value_of(read(declared.default)).wire)]
    except Unreadable:
        return []


# --- values seen in examples ----------------------------------------------------------------------


def _seen(signature: Signature, examples: Sequence[Example]) -> dict[str, list[Any]]:
    """Every parameter's values; those beyond the declared ones belong to `*args` and `**kwargs`."""
    seen: dict[str, list[Any]] = {parameter.name: [] for parameter in signature.parameters}
    by_position = [parameter.name for parameter in signature.positional]
    rest = {parameter.kind: parameter.name for parameter in signature.parameters if parameter.starred}
    for example in examples:
        for index, value in enumerate(example.arguments.positional):
            name = by_position[index] if index < len(by_position) else rest.get("*args", "")
            seen.setdefault(name, []).append(codec.parse(value.wire))
        for key, value in example.arguments.keyword:
            name = key if key in seen else rest.get("**kwargs", "")
            seen.setdefault(name, []).append(codec.parse(value.wire))
    return seen


def _with_siblings(evidence: _Evidence, signature: Signature, declared: Declared) -> list[Any]:
    """A parameter's values, and those of others with values of the same kind, where neither is annotated.

    What a docstring shows of one (`any_int(3.6, -2.2, 2)`) the others may be too.
    """
    own = evidence.seen[declared.name]
    if declared.annotation is not None or declared.starred:
        return own
    others = (p.name for p in signature.parameters if p.annotation is None and p is not declared and not p.starred)
    related = [evidence.seen[name] for name in others if _kinds(own) & _kinds(evidence.seen[name])]
    return [*own, *(tree for trees in related for tree in trees)]


def _kinds(trees: list[Any]) -> set[tuple[str, str]]:
    """The values' kinds, and inside lists the members' ones; what can only be repeated tells nothing of others."""
    pairs = set()
    for tree in (one for one in trees if kind_of(one) != "literal"):
        members = tree if isinstance(tree, list) else [None]
        pairs |= {(kind_of(tree), kind_of(member)) for member in members}
    return pairs
